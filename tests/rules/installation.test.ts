/**
 * The app can be installed: the manifest is valid (W3C Application Manifest), and its files have the right types and
 * sizes.
 */
import { readFileSync } from "node:fs";
import sharp from "sharp";
import { expect, test } from "vitest";
import { brand } from "#app/ui/page/brand.ts";
import { manifest } from "#workers/installation/manifest.ts";
import { releaseOf } from "#workers/installation/release.ts";

test("the manifest names the app and opens it within its scope", () => {
  expect(manifest.name).toContain(brand.name);
  expect(manifest.display).toBe("standalone");
  for (const path of [manifest.start_url, ...manifest.shortcuts.map(({ url }) => url)])
    expect(path.startsWith(manifest.scope)).toBe(true);
});

test("the icons are as large as they say, in the sizes that browsers ask for, and those that are cut out reach the edges", async () => {
  const drawn = manifest.icons.filter(({ type }) => type === "image/png");
  expect(drawn.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    "192x192 any",
    "512x512 any",
    "192x192 maskable",
    "512x512 maskable",
  ]);
  for (const { src, sizes, purpose } of drawn) {
    const picture = sharp(readFileSync(`public${src}`));
    const { width, height } = await picture.metadata();
    expect(`${width}x${height}`).toBe(sizes);
    const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const corner = data.subarray(0, info.channels);
    expect([src, corner.at(3)]).toEqual([src, purpose === "maskable" ? 255 : 0]);
  }
});

test("a release knows the files of the shell, and of what only takes forms, by their plain paths, each once", () => {
  const route = {
    id: "root",
    hasAction: false,
    hasLoader: true,
    hasClientAction: false,
    hasClientLoader: false,
    hasClientMiddleware: false,
    hasDefaultExport: true,
    hasErrorBoundary: true,
  } as const;
  const root = {
    ...route,
    module: "/assets/root-1.js",
    imports: ["/assets/vendor-1.js", "/assets/shell-1.js"],
    css: ["/assets/shell-1.css#"],
    clientActionModule: undefined,
    clientLoaderModule: undefined,
    clientMiddlewareModule: undefined,
    hydrateFallbackModule: undefined,
  };
  const cart = {
    ...root,
    id: "cart",
    hasAction: true,
    hasDefaultExport: false,
    module: "/assets/cart-1.js",
    clientActionModule: "/assets/cart-client-action-1.js",
  };
  const home = { ...root, id: "home", hasAction: true, module: "/assets/home-1.js" };
  const release = releaseOf({
    version: "1",
    url: "/assets/manifest-1.js",
    entry: { module: "/assets/entry-1.js", imports: ["/assets/vendor-1.js"] },
    routes: { root, cart, home },
  });
  expect(release).toEqual({
    version: "1",
    styles: ["/assets/shell-1.css"],
    scripts: [
      "/assets/entry-1.js",
      "/assets/vendor-1.js",
      "/assets/root-1.js",
      "/assets/shell-1.js",
      "/assets/cart-1.js",
      "/assets/cart-client-action-1.js",
    ],
  });
});
