import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { time, userId } from "#app/db/columns.ts";
import { ALARM_NAMES } from "#app/db/states/alarm.ts";

/** Figures that are outside their band now (`admin/operations/alarm-rules.ts`). A row is deleted when it is over. */
export const alarms = sqliteTable("alarms", {
  name: text({ enum: ALARM_NAMES }).primaryKey(),
  /** The latest figure that changed something. */
  figure: integer().notNull(),
  since: time().notNull(),
  /** Since when the figure is in its band again; null while it isn't. */
  calmSince: time(),
});

/** Dates that nobody else keeps: since when each secret is in use, and when the last copy was made. */
export const operatorDates = sqliteTable("operator_dates", {
  name: text().$type<"security_credential" | "copy" | `secret:${string}`>().primaryKey(),
  /** SHA-256 of the secret in hexadecimal, or the beginning of a keyed one; empty for a copy. */
  hash: text().notNull(),
  since: time().notNull(),
});

/** What a month cost the platform besides what M-Pesa takes for sending, as an owner entered it. */
export const monthlyCosts = sqliteTable("monthly_costs", {
  /** YYYY-MM. */
  month: text().primaryKey(),
  /** KES. */
  amount: integer().notNull(),
  setBy: userId().notNull(),
  updatedAt: time().notNull(),
});
