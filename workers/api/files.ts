import { Hono } from "hono";
import type { HttpEnv } from "#workers/http-env.ts";

/** Public pictures. Keys follow from their content, so an answer is good for ever. */
export const files = new Hono<HttpEnv>();

const KEY = /^img\/[0-9a-f]{16,64}\/\d{2,4}\.(webp|avif|png|jpg)$/;
const IMMUTABLE = "public, max-age=31536000, immutable";

files.get("/*", async (c) => {
  const key = c.req.path.slice("/files/".length);
  if (!KEY.test(key)) return c.text("Not found", 404);
  // R2 refuses a header that it cannot read with an error of ours.
  const known = /"([^"]+)"/.exec(c.req.header("If-None-Match") ?? "")?.[1];
  const object = await c.env.MEDIA.get(key, { ...(known && { onlyIf: { etagDoesNotMatch: known } }), range: c.req.raw.headers });
  if (!object) return c.text("Not found", 404);
  const headers = new Headers({ "Cache-Control": IMMUTABLE, "Accept-Ranges": "bytes", ETag: object.httpEtag });
  object.writeHttpMetadata(headers);
  headers.set("Cache-Control", IMMUTABLE);
  if (!("body" in object)) return new Response(null, { status: 304, headers });
  const range = c.req.header("Range") && object.range ? partOf(object.range, object.size) : null;
  if (!range) return new Response(object.body, { headers });
  headers.set("Content-Range", `bytes ${range.from}-${range.to}/${object.size}`);
  headers.set("Content-Length", String(range.to - range.from + 1));
  return new Response(object.body, { status: 206, headers });
});

/** The part R2 read. The runtime may list all three fields, undefined ones among them. */
function partOf(range: R2Range, size: number): { from: number; to: number } {
  const { offset = 0, length, suffix }: { offset?: number; length?: number; suffix?: number } = range;
  if (suffix !== undefined) return { from: Math.max(0, size - suffix), to: size - 1 };
  return { from: offset, to: length === undefined ? size - 1 : Math.min(size, offset + length) - 1 };
}
