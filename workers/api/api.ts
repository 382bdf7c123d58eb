import { Hono } from "hono";
import { z } from "zod";
import type { HttpEnv } from "#workers/http-env.ts";
import { installation } from "#workers/installation/installation.ts";
import type { Release } from "#workers/installation/release.ts";
import { doctor } from "./doctor.ts";
import { documents } from "./documents.ts";
import { email } from "./email.ts";
import { endpoint } from "./endpoint.ts";
import { files } from "./files.ts";
import { health } from "./health.ts";
import { hooks } from "./hooks.ts";
import { live } from "./live.ts";
import { messages } from "./messages.ts";
import { mpesa } from "./mpesa.ts";
import { openApiDocument } from "./openapi.ts";
import { photos } from "./photos.ts";
import { push } from "./push.ts";
import { refuse } from "./refuse.ts";
import { sitemaps } from "./sitemaps.ts";

/**
 * Everything that is not a page: the API, Safaricom's callbacks, files, the live channel and the installed app's files.
 *
 * @param release tells the names of the build's files
 */
export function createApi(release: () => Promise<Release>): Hono<HttpEnv> {
  const api = new Hono<HttpEnv>();
  api.get(
    "/api/openapi.json",
    endpoint({
      id: "readOpenApiDocument",
      tag: "Operation",
      summary: "This document",
      answers: { 200: z.looseObject({ openapi: z.string() }) },
    }),
    (c) => c.json(openApiDocument(api.routes, c.env.APP_ORIGIN), 200, { "Cache-Control": "public, max-age=3600" }),
  );
  api.route("/api/health", health);
  api.route("/api/doctor", doctor);
  api.route("/api/mpesa", mpesa);
  api.route("/api/email", email);
  api.route("/api/messages", messages);
  api.route("/api/photos", photos);
  api.route("/api/push", push);
  api.route("/hooks/pay", hooks);
  api.route("/files", files);
  api.route("/documents", documents);
  api.route("/live", live);
  api.route("/", installation(release));
  api.route("/", sitemaps(release));
  api.all("/api/*", (c) => refuse(c, 404, "No such endpoint"));
  api.all("/hooks/*", (c) => refuse(c, 404, "No such endpoint"));
  return api;
}
