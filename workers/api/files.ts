import { Hono } from "hono";
import { etag } from "hono/etag";
import type { HttpEnv } from "#workers/http-env.ts";
import { canSeePhoto } from "#app/deals/problem-photos.server.ts";
import { endpoint } from "./endpoint.ts";
import { readViewer } from "./require-viewer.ts";

/**
 * Serves photos. The key of a public one is a hash of its content, so answers may be cached for good. Private ones are
 * checked for each request and never cached. People who may not see them get a 404.
 */
export const files = new Hono<HttpEnv>();

const PRIVATE_KEY = /^private\/[0-9a-f]{32}$/;
const PRIVATE_FILE = /^\d{2,4}\.(webp|png|jpg)$/;

files.get(
  "/private/:photo/:file",
  endpoint({
    id: "downloadPrivatePhoto",
    tag: "Files",
    summary: "A photo of a reported problem, as its buyer, its seller or an admin",
    path: { photo: "The photo's hash.", file: "`{width}.{format}`" },
    answers: { 200: "image/*", 404: "text/plain" },
  }),
  async (c) => {
    const services = c.get("services");
    const { photo, file } = c.req.param();
    const key = `private/${photo}`;
    const viewer = PRIVATE_KEY.test(key) && PRIVATE_FILE.test(file) && (await readViewer(services, c.req.raw))?.viewer;
    if (!viewer || !(await canSeePhoto(services.db, viewer, key))) return c.text("Not found", 404);
    const object = await services.documents.get(`${key}/${file}`);
    if (!object) return c.text("Not found", 404);
    const headers = new Headers({
      "Cache-Control": "private, no-store",
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Cross-Origin-Resource-Policy": "same-origin",
      "X-Content-Type-Options": "nosniff",
    });
    object.writeHttpMetadata(headers);
    return new Response(object.body, { headers });
  },
);

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
