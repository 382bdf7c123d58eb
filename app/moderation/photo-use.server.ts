import { type SQL, sql } from "drizzle-orm";
import { isCopy } from "#app/db/copies.ts";
import { copies } from "#app/db/tables.server.ts";
import { reports } from "./tables.server.ts";
import { uploads } from "#app/accounts/tables.server.ts";

/** SQL on `uploads`: a copy shows the photo. A talk may show photos of both sides. */
export const COPY_SHOWS_PHOTO: SQL = sql`(EXISTS (SELECT 1 FROM ${copies} INDEXED BY copies_photos
    WHERE ${copies.ownerId} = ${uploads.ownerId} AND ${copies.photos} <> '[]' AND ${showsPhoto()})
  OR EXISTS (SELECT 1 FROM ${reports} CROSS JOIN ${copies}
    WHERE ${reports.reporterId} = ${uploads.ownerId} AND ${isCopy("talk", reports.id)} AND ${showsPhoto()}))`;

function showsPhoto(): SQL {
  return sql`instr(${copies.photos}, '"' || ${uploads.key} || '"') > 0`;
}
