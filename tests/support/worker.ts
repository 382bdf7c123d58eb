/**
 * The worker that runs under test: the app's own HTTP part, its Durable Object, and the sandbox beside it in one isolate.
 * React Router's pages are left out, because their build is made by Vite; the browser tests cover them.
 */
import { DurableObject, WorkerEntrypoint } from "cloudflare:workers";
import sandbox from "#workers/sandbox/sandbox.ts";

export { Desk } from "#workers/sandbox/sandbox.ts";
export class UserHub extends DurableObject {}

export class Sandbox extends WorkerEntrypoint {
  override fetch(request: Request): Response | Promise<Response> {
    return sandbox.fetch(request);
  }
}

export default {
  fetch(): Response {
    return new Response("Not found", { status: 404 });
  },
};
