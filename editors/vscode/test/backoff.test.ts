import assert from "node:assert/strict";
import { test } from "node:test";
import { Backoff } from "../src/backoff.ts";

test("each death in a row is answered more slowly, the sixth not at all", () => {
  const backoff = new Backoff();
  assert.deepEqual([1, 2, 3, 4, 5, 6, 7].map(() => backoff.died(10)), [1, 2, 4, 8, 16, undefined, undefined]);
});

test("a server that ran for long begins a new row", () => {
  const backoff = new Backoff();
  backoff.died(10);
  backoff.died(10);
  assert.equal(backoff.died(600_000), 1);
  assert.equal(backoff.died(10), 2);
});

test("who asks for a start gets one at once, and a new row", () => {
  const backoff = new Backoff();
  backoff.died(10);
  backoff.died(10);
  backoff.forget();
  assert.equal(backoff.died(10), 1);
});
