import type { DataStrategyResult } from "react-router";
import { expect, test } from "vitest";
import { keepScreen } from "#app/ui/browser/shown-screen.ts";

async function resultOf(address: string, result: DataStrategyResult, method = "GET") {
  const results = { "routes/member/my-money": result };
  await keepScreen({ request: new Request(`https://chuoni.test${address}`, { method }) }, async () => results);
  return results["routes/member/my-money"];
}

const lost: DataStrategyResult = { type: "error", result: new TypeError("Failed to fetch") };
const missing: DataStrategyResult = { type: "error", result: new Response(null, { status: 404 }) };
const page: DataStrategyResult = { type: "data", result: { lines: [] } };

test("a further page that is lost is a value of its list, which then offers to try again", async () => {
  const failed = { type: "data", result: { failed: true } };
  expect(await resultOf("/myshop/money?show=paid&after=x", lost)).toEqual(failed);
  expect(await resultOf("/notifications?before=12", lost)).toEqual(failed);
});

test("other loads, forms and answers of ours stay as they are", async () => {
  expect(await resultOf("/search/count?q=lamp", lost)).toBe(lost);
  expect(await resultOf("/notifications?before=12", lost, "POST")).toBe(lost);
  expect(await resultOf("/myshop/money?after=x", missing)).toBe(missing);
  expect(await resultOf("/myshop/money?after=x", page)).toBe(page);
});
