import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { leaveOutTracing } from "#scripts/leave-out.ts";
import { purgeRadixCss } from "#scripts/purge-css.ts";

const production = process.env.CLOUDFLARE_ENV === "production";
const state = process.env.CHUONI_STATE;
/** Where `npm run dev` listens, if not where wrangler.toml says. */
const origin = process.env.CHUONI_ORIGIN;

/** Of the interface, what only some screens use: forms, dialogs, the list of toasts. */
const SOME_SCREENS =
  /\/app\/ui\/(auth-layout|load-failed|refresh-link|reload|slideshow|file-field|range-slider|page-header|menu|share-meta|share-button|copy-button|email-address|more-link|back-button|callout|choice|dates|dialog|dialog-link|dialog-window|field|form-fields|label-badge|no-answer|quantity-stepper|register-worker|settled|skeleton|spinner|steps|submit-button|summary-rows|tabs|text-field|text-link|toaster|use-\w+(-\w+)*)\.tsx?$/;

/** Of those, the small ones that most screens but the feed use some of: one file is asked for sooner than ten. */
const MOST_SCREENS =
  /\/app\/ui\/(back-button|callout|choice|copy-button|dates|dialog|dialog-link|field|form-fields|label-badge|menu|load-failed|more-link|no-answer|page-header|refresh-link|quantity-stepper|share-button|share-meta|submit-button|summary-rows|tabs|text-field|text-link|use-\w+(-\w+)*)\.tsx?$/;

const EVERY_SCREEN =
  /\/app\/(ui\/|document\/|screens\/(member-frame|next-screen|screen-of)\.tsx?|messaging\/(components\/use-live|live-state)|basket\/(rules|components\/(basket-(changes|form|provider)|wishlist-heart|card-parts|add-to-cart))|tutorial\/(start-(rules|flags)|components\/tutorial-gate)|catalogue\/(arriving|image-sources|rules|components\/(product-card|product-feed|catalogue-frame|use-product-pages|arrival)))/;

/**
 * What every page needs travels in two files instead of twenty, and what most need in a third: they compress better together,
 * cost fewer round trips on a slow phone, and the first stays in the browser's cache when we release.
 */
const CHUNKS = [
  { name: "vendor", test: /rolldown[:/]runtime|node_modules\/(react|react-dom|scheduler|react-router)\// },
  { name: "shell", test: (id: string) => EVERY_SCREEN.test(id) && !/\.css/.test(id) && !SOME_SCREENS.test(id) },
  { name: "controls", test: MOST_SCREENS },
  // Visitors need these, and nothing of the chunk that they would fall into.
  { name: "private-storage", test: /\/app\/platform\/private-storage\.ts$/ },
  { name: "names", test: /\/app\/accounts\/name-rules\.ts$/ },
  {
    name: "listing",
    test: /\/app\/catalogue\/(listing-rules|listing-changes|browsing-history|components\/owner-controls)\.tsx?$/,
  },
];

export default defineConfig({
  define: { __SANDBOX__: JSON.stringify(!production) },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } } } },
    ...(production ? {} : { chuoni_sandbox: { build: { outDir: "build/sandbox" } } }),
  },
  plugins: [
    cloudflare({
      viteEnvironment: { name: "ssr" },
      // The sandbox is a worker of its own and no part of what is deployed.
      ...(production ? {} : { auxiliaryWorkers: [{ configPath: "./workers/sandbox/wrangler.toml" }] }),
      ...(state === undefined ? {} : { persistState: { path: state } }),
      ...(origin === undefined ? {} : { config: (worker) => ({ vars: { ...worker.vars, APP_ORIGIN: origin } }) }),
      remoteBindings: false,
      inspectorPort: false,
    }),
    reactRouter(),
    leaveOutTracing(),
    purgeRadixCss(),
  ],
});
