/** Names of tables in queries, where the table itself may stand in the same query a second time. */
import { alias } from "drizzle-orm/sqlite-core";
import { payouts } from "./tables.server.ts";

export const payoutRow = alias(payouts, "payout_row");
