import { Hono } from "hono";
import { findDocument } from "#app/accounts/trust/documents.server.ts";
import type { Viewer } from "#app/accounts/viewer.server.ts";
import { adminAccess } from "#app/team/admin-access.ts";
import { mayDo } from "#app/team/role-rules.ts";
import type { Services } from "#app/request/services.ts";
import type { HttpEnv } from "#workers/http-env.ts";
import { endpoint } from "./endpoint.ts";
import { readViewer } from "./require-viewer.ts";

/**
 * Serves verification documents to their owner, and to the admins who approve documents. Everybody else gets a 404. A
 * document is always downloaded, never shown inside our site, so that an uploaded file cannot run scripts here.
 */
export const documents = new Hono<HttpEnv>();

documents.get(
  "/:id",
  endpoint({
    id: "downloadDocument",
    tag: "Files",
    summary: "Download a verification document, as its owner or as an admin",
    path: { id: "The document's id." },
    answers: { 200: "application/octet-stream", 404: "text/plain" },
  }),
  async (c) => {
    const services = c.get("services");
    const viewer = (await readViewer(services, c.req.raw))?.viewer;
    const document = viewer && (await findDocument(services.db, c.req.param("id")));
    if (!document || (document.userId !== viewer.id && !maySee(viewer, services))) return c.text("Not found", 404);
    const object = await services.documents.get(document.key);
    if (!object) return c.text("Not found", 404);
    return new Response(object.body, {
      headers: {
        "Content-Type": document.contentType,
        "Content-Length": String(object.size),
        "Content-Disposition": attachment(document.fileName),
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "Cache-Control": "private, no-store",
        "Cross-Origin-Resource-Policy": "same-origin",
      },
    });
  },
);

/** An admin who checks documents. */
function maySee(viewer: Viewer, { adminsNeedTwoSteps }: Services): boolean {
  const role = adminAccess(viewer, adminsNeedTwoSteps);
  return role !== null && mayDo(role, "document_approved");
}

/** Both forms of RFC 6266: an ASCII name for old clients, the full name for the others. */
function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^\w .-]/g, "_");
  const whole = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
