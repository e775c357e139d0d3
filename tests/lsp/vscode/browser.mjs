// Opens the editor's page, without which the editor runs no extension, takes the pictures that the driver asks for by a
// file NAME.wanted in the folder of pictures, and says yes where the editor asks whether a renamed file may change others. Arguments: playwright-core, Chromium, address, folder of pictures, the
// file that ends it all.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [playwright, program, address, pictures, end] = process.argv.slice(2);
const { chromium } = createRequire(import.meta.url)(playwright);
const browser = await chromium.launch({
  executablePath: program,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto(address);
while (!existsSync(end)) {
  for (const name of readdirSync(pictures).filter((each) => each.endsWith(".wanted"))) {
    await page.screenshot({ path: join(pictures, name.replace(/wanted$/, "png")) });
    rmSync(join(pictures, name));
  }
  const asked = page.locator(".monaco-dialog-box .monaco-button, .refactor-preview .monaco-button").filter({ hasText: /^(OK|Apply)$/ }).first();
  if (await asked.isVisible().catch(() => false)) {
    await asked.click().catch(() => undefined);
  }
  await page.waitForTimeout(50);
}
await browser.close();
