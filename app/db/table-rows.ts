/**
 * Names of tables in queries, where the table itself may stand in the same query a second time. A condition that takes
 * no table speaks of these rows, so the query that uses it selects from them.
 */
import { alias } from "drizzle-orm/sqlite-core";
import { issueReports, moderationCases, orderItems, orders, payouts, products, profiles, reports } from "./schema.ts";

export const productRow = alias(products, "product_row");
export const personRow = alias(profiles, "person_row");
export const itemRow = alias(orderItems, "item_row");
export const orderRow = alias(orders, "order_row");
export const payoutRow = alias(payouts, "payout_row");
export const caseRow = alias(moderationCases, "case_row");
export const otherCaseRow = alias(moderationCases, "other_case_row");
export const reportRow = alias(reports, "report_row");
export const issueRow = alias(issueReports, "issue_row");
