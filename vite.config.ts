import { resolve } from "node:path";
import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { OLDEST_BROWSERS, OLDEST_STYLED } from "#scripts/browsers.ts";
import { groupScripts } from "#scripts/chunks.ts";

/** For Cloudflare, be it the market or its rehearsal: without the sandbox. */
const production = process.env.CLOUDFLARE_ENV !== undefined;
const state = process.env.CHUONI_STATE;
/** Where `npm run dev` listens, if not where wrangler.toml says. */
const origin = process.env.CHUONI_ORIGIN;
const atOrigin =
  origin === undefined
    ? {}
    : { config: (worker: { vars?: object }) => ({ vars: { ...worker.vars, APP_ORIGIN: origin } }) };

export default defineConfig({
  define: { __SANDBOX__: JSON.stringify(!production) },
  // Vite finds these only when a page asks for them, and would then reload the first page with errors.
  optimizeDeps: { include: ["sonner", "zod/mini"] },
  ...(production
    ? {}
    : {
        environments: { chuoni_sandbox: { build: { outDir: "build/sandbox" } } },
        // Browser tests make hundreds of people, and a password costs as much as the rest of a login.
        resolve: { alias: { "./password-cost.ts": resolve("workers/sandbox/password-cost.ts") } },
      }),
  build: {
    // Otherwise the build writes `width >= 768px`, which browsers that get pages without scripts don't know.
    cssTarget: Object.entries(OLDEST_STYLED).map(([name, version]) => name + version),
    target: Object.entries(OLDEST_BROWSERS).map(([name, version]) => name + version),
  },
  plugins: [
    cloudflare({
      viteEnvironment: { name: "ssr" },
      // The sandbox is no part of what is deployed.
      auxiliaryWorkers: production ? [] : [{ configPath: "./workers/sandbox/wrangler.toml", ...atOrigin }],
      ...(state === undefined ? {} : { persistState: { path: state } }),
      ...atOrigin,
      remoteBindings: false,
      inspectorPort: false,
    }),
    reactRouter(),
    groupScripts(),
  ],
});
