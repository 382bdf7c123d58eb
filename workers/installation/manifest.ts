import { FRONT_PATH } from "#app/public-links.ts";
import { brand } from "#app/ui/page/brand.ts";

/** The web app manifest: name, colours, start page and icons. `node scripts/make-art.ts` draws the icons. */
export const manifest = {
  id: "/",
  name: `${brand.name} ${brand.tagline}`,
  short_name: brand.name,
  description: brand.description,
  lang: "en-KE",
  dir: "ltr",
  start_url: "/home",
  scope: "/",
  display: "standalone",
  orientation: "any",
  background_color: brand.themeColour.light,
  theme_color: brand.themeColour.light,
  categories: ["shopping", "education"],
  icons: [
    { src: "/icons/icon-192.png", sizes: "192x192", type: "image/png", purpose: "any" },
    { src: "/icons/icon-512.png", sizes: "512x512", type: "image/png", purpose: "any" },
    { src: "/icons/maskable-192.png", sizes: "192x192", type: "image/png", purpose: "maskable" },
    { src: "/icons/maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    { src: "/favicon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" },
  ],
  shortcuts: [
    { name: "What's new on each campus", short_name: "New", url: FRONT_PATH },
    { name: "Search the marketplace", short_name: "Search", url: "/search" },
    { name: "Sell something", short_name: "Sell", url: "/add-product" },
    { name: "Messages", url: "/profile?tab=messages" },
  ],
} as const;
