import { Hono } from "hono";
import type { HttpEnv } from "#workers/http-env.ts";
import { namesTag, readRange } from "./byte-range.ts";

/** Serves public pictures. A key is a hash of the content, so answers may be cached for good. */
export const files = new Hono<HttpEnv>();

const KEY = /^img\/[0-9a-f]{16,64}\/\d{2,4}\.(webp|avif|png|jpg)$/;
const IMMUTABLE = "public, max-age=31536000, immutable";

files.get("/*", async (c) => {
  const key = c.req.path.slice("/files/".length);
  if (!KEY.test(key)) return c.text("Not found", 404);
  const known = c.req.header("If-None-Match");
  const isHead = c.req.method === "HEAD";
  const range = c.req.header("Range");
  if (known === undefined && range === undefined && !isHead) return answer(await c.env.MEDIA.get(key));

  // R2 refuses what it cannot read with an error of ours, and takes a range that ends nowhere for the whole, so both are read here.
  const kept = await c.env.MEDIA.head(key);
  if (!kept) return answer(null);
  if (known !== undefined && namesTag(known, kept.httpEtag))
    return new Response(null, { status: 304, headers: headersOf(kept) });
  // A range is for GET alone (RFC 9110 §14.2).
  if (isHead) return new Response(null, { headers: headersOf(kept) });
  const condition = c.req.header("If-Range");
  const part =
    range === undefined || (condition !== undefined && condition !== kept.httpEtag)
      ? null
      : readRange(range, kept.size);
  if (part === "unsatisfiable")
    return new Response(null, {
      status: 416,
      headers: { "Accept-Ranges": "bytes", "Content-Range": `bytes */${kept.size}` },
    });
  if (part === null) return answer(await c.env.MEDIA.get(key));
  const length = part.to - part.from + 1;
  const object = await c.env.MEDIA.get(key, { range: { offset: part.from, length } });
  return answer(object, {
    "Content-Range": `bytes ${part.from}-${part.to}/${kept.size}`,
    "Content-Length": String(length),
  });
});

/** The whole, or with `partly` what they say of the part. */
function answer(object: R2ObjectBody | null, partly?: Record<string, string>): Response {
  if (!object) return new Response("Not found", { status: 404 });
  const headers = headersOf(object);
  for (const [name, value] of Object.entries(partly ?? {})) headers.set(name, value);
  return new Response(object.body, { status: partly ? 206 : 200, headers });
}

function headersOf(object: R2Object): Headers {
  const headers = new Headers();
  object.writeHttpMetadata(headers);
  headers.set("Cache-Control", IMMUTABLE);
  headers.set("Accept-Ranges", "bytes");
  headers.set("ETag", object.httpEtag);
  return headers;
}
