import assert from "node:assert/strict";
import { test } from "node:test";
import { read, toldOf } from "../src/package_state.ts";

const HASH = "dead956646346a7274360c9bab5a1c6208867372f050a64790c5cd0644f7bc28";

test("a package that was never built says so", () => {
  assert.equal(toldOf({ artifact: { exists: false } }).text, "not built");
});

test("a built one shows the beginning of its hash, and a mark once the sources differ", () => {
  const artifact = { exists: true, moduleHash: HASH };
  assert.equal(toldOf({ artifact, sourceDirty: false }).text, "dead9566");
  assert.equal(toldOf({ artifact, sourceDirty: true }).text, "dead9566 ●");
});

test("what is known of tier and store stands beside it", () => {
  const { tooltip } = toldOf({
    artifact: { exists: true, moduleHash: HASH, tier: "recursive" },
    store: { exists: true, generation: 7 },
    sourceDirty: false,
  });
  assert.deepEqual(tooltip.split("\n"), [
    `Module ${HASH}`,
    "Tier recursive",
    "Store at generation 7",
    "Built from the saved sources.",
  ]);
});

test("what is no status is none", () => {
  assert.equal(read("error: no such project"), undefined);
  assert.equal(read("[]"), undefined);
  assert.equal(read('{"schemaVersion": "1.0"}'), undefined);
  assert.deepEqual(read('{"artifact": {"exists": false}}'), { artifact: { exists: false } });
});
