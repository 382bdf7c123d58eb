import { join, resolve } from "node:path";

/** The folder of the checkout. */
export const root = resolve(import.meta.dirname, "..");

/** The local environment's build: the app's worker, its static files and the sandbox. */
export const localBuild = join(root, "build");

/** What goes to Cloudflare. */
export const productionBuild = join(root, "build-production");

/** Scratch space that may be deleted at any time. */
export const cache = join(root, ".cache");

/** Where local D1, KV, R2 and Durable Objects keep their data; `CHUONI_STATE` names another folder. */
export function stateFolder(): string {
  return resolve(root, process.env.CHUONI_STATE ?? ".wrangler/state");
}
