import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/chromium.ts";

/** `npm test -- phone` starts a server with data of its own and says here where it listens. */
const origin = process.env.CHUONI_ORIGIN ?? "http://localhost:8787";
const program = findChromium();

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/**
 * Chromium obeys only the last list of disabled features, so this one repeats Playwright's. The last two are the
 * address bar's suggestions: two hidden pages in every window, which cost most of a second. A spare renderer is a
 * process that the next window would use, and most tests open none.
 */
const DISABLED_FEATURES = [
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "SpareRendererForSitePerProcess",
  "ThirdPartyStoragePartitioning",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxPopup",
];

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: ".cache/test/browser",
  // They wait more than they compute, so that two cores carry three.
  workers: 3,
  // A test that passes at a later try is named by `npm test`; on a developer's machine it fails.
  retries: process.env.CI ? 2 : 0,
  // A busy machine is slow, not wrong.
  timeout: 240_000,
  expect: { timeout: 30_000, toPass: { timeout: 60_000 } },
  use: {
    baseURL: origin,
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    locale: "en-KE",
    timezoneId: "Africa/Nairobi",
    // A trace costs a third of the time: `playwright test --trace on` records one where it is wanted.
    trace: "off",
    screenshot: "only-on-failure",
    video: "off",
    contextOptions: { reducedMotion: "reduce" },
    // What a test answers in the network's place, the page must ask for itself. One test installs the worker.
    serviceWorkers: "block",
    launchOptions: {
      ...(program === null ? {} : { executablePath: program }),
      args: [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--in-process-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        `--disable-features=${DISABLED_FEATURES.join(",")}`,
        // A page lives for seconds, so compiling its scripts once more for speed costs more than it saves.
        "--js-flags=--no-opt --no-maglev",
      ],
    },
  },
  projects: [
    // A test whose result doesn't depend on the size runs once: tagged @desktop or @phone.
    { name: "phone", grepInvert: /@desktop/, use: PHONE },
    {
      name: "desktop",
      grepInvert: /@phone/,
      use: { viewport: { width: 1280, height: 800 } },
    },
    // Each test starts a browser of its own. Chromium only sends requests here.
    { name: "firefox", testDir: "tests/firefox", workers: 2, use: { screenshot: "off" } },
    { name: "webkit", testDir: "tests/webkit", workers: 2, use: { screenshot: "off" } },
  ],
});
