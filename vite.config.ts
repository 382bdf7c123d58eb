import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { purgeRadixCss } from "#scripts/purge-css.ts";

const production = process.env.CLOUDFLARE_ENV === "production";

export default defineConfig({
  environments: production ? {} : { chuoni_sandbox: { build: { outDir: "build/sandbox" } } },
  plugins: [
    cloudflare({
      viteEnvironment: { name: "ssr" },
      ...(production ? {} : { auxiliaryWorkers: [{ configPath: "./workers/sandbox/wrangler.toml" }] }),
    }),
    reactRouter(),
    purgeRadixCss(),
  ],
});
