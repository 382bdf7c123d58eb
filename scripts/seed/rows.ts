import type * as schema from "#scripts/tables.ts";

type Tables = typeof schema;
export type TableName = {
  [Name in keyof Tables]: Tables[Name] extends { $inferInsert: object } ? Name : never;
}[keyof Tables];
export type Row<Name extends TableName> = Tables[Name]["$inferInsert"];

/** The rows for the database, by table. Tables that aren't named stay empty. */
export type Rows = { [Name in TableName]?: Row<Name>[] };

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
