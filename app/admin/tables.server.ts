import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { time } from "#app/db/columns.ts";
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

/** Since when a secret that expires is in use. Only its hash is kept. */
export const secretDates = sqliteTable("secret_dates", {
  name: text({ enum: ["security_credential"] }).primaryKey(),
  /** SHA-256 in hexadecimal. */
  hash: text().notNull(),
  since: time().notNull(),
});
