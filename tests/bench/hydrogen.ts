import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { CommandError } from "#scripts/command.ts";
import { findFreePort } from "#scripts/free-port.ts";

/** What the skeleton reads of its environment. None of it leads anywhere. */
const VARIABLES = {
  SESSION_SECRET: "secret",
  PUBLIC_STORE_DOMAIN: "mock.shop",
  PUBLIC_CHECKOUT_DOMAIN: "mock.shop",
  PUBLIC_STOREFRONT_ID: "1",
  PUBLIC_STOREFRONT_API_TOKEN: "token",
  PUBLIC_CUSTOMER_ACCOUNT_API_CLIENT_ID: "id",
  PUBLIC_CUSTOMER_ACCOUNT_API_URL: "https://accounts.mock.shop",
  SHOP_ID: "1",
};

/**
 * Serves the production build of Hydrogen's skeleton in the workerd that serves ours.
 * @param folder the skeleton, built
 * @returns the address of a collection of 24 products. The server ends with this process
 */
export async function serveHydrogen(folder: string): Promise<URL> {
  const build = resolve(folder, "dist");
  if (!existsSync(join(build, "server/index.js")))
    throw new CommandError(`${build} holds no build. See docs/decisions/beside-hydrogen.md.`);
  const port = await findFreePort();
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      port,
      workers: [
        {
          name: "hydrogen",
          compatibilityDate: "2026-10-01",
          rootPath: join(build, "server"),
          modules: [
            {
              type: "ESModule",
              path: "storefront.mjs",
              contents: readFileSync(join(import.meta.dirname, "storefront.mjs"), "utf8"),
            },
            { type: "ESModule", path: "index.js" },
          ],
          bindings: VARIABLES,
          assets: { directory: join(build, "client"), binding: "ASSETS", routerConfig: { has_user_worker: true } },
        },
      ],
      telemetry: { enabled: false },
      log: new Log(LogLevel.ERROR),
    }),
  );
  await miniflare.ready;
  return new URL(`http://localhost:${port}/collections/all-things`);
}
