/**
 * Names of tables in queries, where the table itself may stand in the same query a second time. A condition that takes
 * no table speaks of these rows, so the query that uses it selects from them.
 */
import { alias } from "drizzle-orm/sqlite-core";
import { issueReports, orderItems, orders } from "./tables.server.ts";

export const itemRow = alias(orderItems, "item_row");
export const orderRow = alias(orders, "order_row");
export const issueRow = alias(issueReports, "issue_row");
