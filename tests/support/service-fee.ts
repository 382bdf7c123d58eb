/** A service fee that two owners have set, for tests of what follows from it. */
import type { FeeRule } from "#app/catalogue/fees/fee-rules.ts";
import { serviceFees } from "#app/catalogue/tables.server.ts";
import { db } from "./fixtures.ts";

/** A confirmed fee that holds from `now` (ms) on: 5 % of the seller, unless `rule` says another. */
export async function feeIs(
  owner: { id: string },
  rule: Partial<FeeRule>,
  category: string | null = null,
  now = Date.now(),
) {
  await db.insert(serviceFees).values({
    id: crypto.randomUUID(),
    category,
    payer: "seller",
    share: 500,
    smallest: 0,
    largest: 500,
    ...rule,
    startsAt: now - 1,
    setBy: owner.id,
    createdAt: 0,
    confirmedBy: owner.id,
    confirmedAt: now,
  });
}
