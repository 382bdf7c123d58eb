/** What a search for money may mean, and the sentences that say what the money of an order waits for. */
import { expect, test } from "vitest";
import { readExplainSearch, waitingNow } from "#app/admin/money/explain-words.ts";

const REFUND: Parameters<typeof waitingNow>[0]["refunds"][number] = {
  id: "one",
  token: "one",
  amount: 500,
  orderItemId: null,
  state: "parked",
  phone: null,
  receipt: null,
  resultCode: "1",
  resultDesc: null,
  waitReason: "our_float",
  waitDetail: null,
  sendCount: 1,
  lookupCount: 0,
  nextActionAt: 1,
  doneBy: null,
  createdAt: 0,
  sentAt: 0,
  doneAt: null,
  reason: "cancelled_by_buyer",
  method: "b2c",
};

test("two refunds of the same amount that wait for the same are two entries", () => {
  const [one, other, ...more] = waitingNow({ payouts: [], refunds: [REFUND, { ...REFUND, id: "other" }] });
  expect(more).toEqual([]);
  expect([one?.id, other?.id]).toEqual(["one", "other"]);
  expect(one?.words).toBe(other?.words);
  expect(one?.words).toMatch(/^Refund of KES 500: .+ We try again every 15 minutes/);
});

test("a name with as many letters as a receipt is searched as both", () => {
  expect(readExplainSearch("Zuri Wekesa")).toMatchObject({ receipt: "ZURIWEKESA", person: { email: "zuri wekesa" } });
  expect(readExplainSearch("0712345678")?.person).toBeNull();
});
