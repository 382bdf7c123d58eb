import { Hono } from "hono";
import { etag } from "hono/etag";
import { openEdgeCache, withHeaders } from "#workers/edge-cache.ts";
import type { HttpEnv } from "#workers/http-env.ts";
import { adminAccess } from "#app/team/admin-access.ts";
import { mayOpen } from "#app/team/role-rules.ts";
import { canSeePhoto } from "#app/deals/problems/problem-photos.server.ts";
import { endpoint } from "./endpoint.ts";
import { ownerOfRemoved } from "#app/catalogue/photos/removed-photos.server.ts";
import type { Services } from "#app/request/services.ts";
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
    summary: "A photo of a reported problem or theft, as whoever reported it, the seller of the problem or an admin",
    path: { photo: "The photo's hash.", file: "`{width}.{format}`" },
    answers: { 200: "image/*", 404: "text/plain" },
  }),
  async (c) => {
    const services = c.get("services");
    const { photo, file } = c.req.param();
    const key = `private/${photo}`;
    const viewer = PRIVATE_KEY.test(key) && PRIVATE_FILE.test(file) && (await readViewer(services, c.req.raw))?.viewer;
    const role = viewer && adminAccess(viewer, services.adminsNeedTwoSteps);
    const decides = Boolean(role && mayOpen(role, "/admin/problems/:id"));
    const moderates = Boolean(role && mayOpen(role, "/admin/moderation/:caseId"));
    if (!viewer || !(await canSeePhoto(services.db, { id: viewer.id, decides, moderates }, key)))
      return c.text("Not found", 404);
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

/**
 * How long a data centre serves a picture without asking R2, in seconds. The picture under an address never changes,
 * but our team can take it down, and it must then be gone.
 */
const KEPT_S = 60;

/** Browsers never ask again for a picture that they have, because its address changes with its content. */
const CACHE_HEADERS = { "Cache-Control": "public, max-age=31536000, immutable" };

/** The keys of public pictures in R2. */
const KEY = /^img\/[0-9a-f]{16,64}\/(\d{2,4}\.(webp|png|jpg)|preview\.jpg)$/;

files.get(
  "/*",
  endpoint({
    id: "downloadPicture",
    tag: "Files",
    summary: "A public picture",
    path: { path: "`img/{hash}/{width}.{format}`, or `img/{hash}/preview.jpg`" },
    answers: { 200: "image/*", 304: null, 404: "text/plain" },
  }),
  etag(),
  async (c) => {
    const key = c.req.path.slice("/files/".length);
    if (!KEY.test(key)) return c.text("Not found", 404);
    const services = c.get("services");
    const cache = openEdgeCache({ origin: c.env.APP_ORIGIN, seconds: KEPT_S }, services);
    const kept = await cache.find(c.req.path);
    if (kept) return withHeaders(kept, CACHE_HEADERS);
    const startedAt = services.now();
    const object = await services.media.get(key);
    if (!object) return removedPicture(services, c.req.raw, key);
    const headers = new Headers({ ETag: object.httpEtag });
    object.writeHttpMetadata(headers);
    const picture = new Response(object.body, { headers });
    cache.keep(c.req.path, picture, startedAt);
    return withHeaders(picture, CACHE_HEADERS);
  },
);

/**
 * A picture that our team took down, for its owner and for those who decide about it. To everybody else it isn't there.
 */
async function removedPicture(services: Services, request: Request, key: string): Promise<Response> {
  const missing = () => new Response("Not found", { status: 404 });
  const viewer = (await readViewer(services, request))?.viewer;
  if (!viewer) return missing();
  const ownerId = await ownerOfRemoved(services, key.slice(0, key.lastIndexOf("/")));
  if (ownerId === null) return missing();
  const role = adminAccess(viewer, services.adminsNeedTwoSteps);
  const decides = role && ["/admin/moderation/:caseId", "/admin/problems/:id"].some((page) => mayOpen(role, page));
  const object = viewer.id === ownerId || decides ? await services.documents.get(key) : null;
  if (!object) return missing();
  const headers = new Headers({ "Cache-Control": "private, no-store", "X-Content-Type-Options": "nosniff" });
  object.writeHttpMetadata(headers);
  return new Response(object.body, { headers });
}
