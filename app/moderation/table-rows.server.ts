/** Names of tables in queries, where the table itself may stand in the same query a second time. */
import { alias } from "drizzle-orm/sqlite-core";
import { moderationCases, reports } from "./tables.server.ts";

export const caseRow = alias(moderationCases, "case_row");
export const otherCaseRow = alias(moderationCases, "other_case_row");
export const reportRow = alias(reports, "report_row");
