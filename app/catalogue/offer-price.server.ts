import { sql } from "drizzle-orm";
import { offers } from "./tables.server.ts";
import { productRow } from "./table-rows.server.ts";

/**
 * SQL on offers and their `productRow`: what their buyers pay for their one piece, in KES. The same as `amountDue` in
 * offer-rules.ts.
 */
export const OFFER_PRICE = sql<number>`MIN(COALESCE(${offers.counterAmount}, ${offers.amount}), ${productRow.price})`;
