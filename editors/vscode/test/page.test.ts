import assert from "node:assert/strict";
import { test } from "node:test";
import { readable } from "../src/page.ts";

test("the data before a page becomes its heading", () => {
  const page = '+++\ncode = "OE0101"\ntitle = "A \\"name\\" is missing"\n[notes]\ncode = "no"\n+++\n\n## What\n\nText.\n';
  assert.equal(readable(page), '# OE0101: A "name" is missing\n\n## What\n\nText.\n');
});

test("a page without data stays as it is", () => {
  assert.equal(readable("# Title\n"), "# Title\n");
});
