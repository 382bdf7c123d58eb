import { Hono } from "hono";
import { etag } from "hono/etag";
import type { HttpEnv } from "#workers/http-env.ts";
import { endpoint } from "./endpoint.ts";

/** Serves public pictures. A key is a hash of the content, so answers may be cached for good. */
export const files = new Hono<HttpEnv>();

const KEY = /^img\/[0-9a-f]{16,64}\/\d{2,4}\.(webp|avif|png|jpg)$/;

files.get(
  "/*",
  endpoint({
    id: "downloadPicture",
    tag: "Files",
    summary: "A public picture",
    path: { path: "`img/{hash}/{width}.{format}`" },
    answers: { 200: "image/*", 304: null, 404: "text/plain" },
  }),
  etag(),
  async (c) => {
    const key = c.req.path.slice("/files/".length);
    const object = KEY.test(key) ? await c.env.MEDIA.get(key) : null;
    if (!object) return c.text("Not found", 404);
    const headers = new Headers();
    object.writeHttpMetadata(headers);
    headers.set("Cache-Control", "public, max-age=31536000, immutable");
    headers.set("ETag", object.httpEtag);
    return new Response(object.body, { headers });
  },
);
