// Bundles the extension into dist/extension.js and copies the pages of ../../docs that a user reads into dist/docs;
// with --tests it bundles the tests into dist/test instead.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const pages = ["access.md", "agents.md", "editors.md", "errors.md", "install.md", "keywords.md", "packages.md", "store.md"];

/** Links to what is not packed become their words. */
function packed(text) {
  return text.replace(/\[([^\]]*)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)]*)?\)/g, (whole, words, target) =>
    pages.includes(target) ? whole : words,
  );
}

function copyDocs() {
  const target = join(here, "dist", "docs");
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const page of pages) {
    writeFileSync(join(target, page), packed(readFileSync(join(here, "..", "..", "docs", page), "utf8")));
  }
}

const common = { absWorkingDir: here, bundle: true, platform: "node", format: "cjs", logLevel: "warning" };

if (process.argv.includes("--tests")) {
  const tests = readdirSync(join(here, "test")).filter((name) => name.endsWith(".test.ts"));
  await build({ ...common, entryPoints: tests.map((name) => `test/${name}`), outdir: "dist/test", target: "node20" });
} else {
  copyDocs();
  await build({
    ...common,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    external: ["vscode"],
    target: "node20",
    minify: true,
    legalComments: "inline",
  });
}
