import { brand } from "./brand.ts";
import { pageTitle } from "./page-title.ts";

export interface ShareImage {
  url: string;
  /** px. */
  width?: number;
  height?: number;
  /** Like "image/jpeg". */
  type?: string;
  alt: string;
}

interface SharePage {
  /** The screen's name, without the product's. */
  title: string;
  /** Any length, on any number of lines. */
  description: string;
  /** Absolute, without a query. */
  url: string;
  /** Absolute; null when there is no picture. */
  image: ShareImage | null;
  type: "website" | "product" | "profile";
}

/** How many characters of a description search results and chat previews show. */
const DESCRIPTION_MAX = 160;

/** The meta tags of a screen that people share: title, description, canonical address, Open Graph and Twitter card. */
export function shareMeta({ title, description, url, image, type }: SharePage) {
  const short = shorten(description);
  return [
    { title: pageTitle(title) },
    { name: "description", content: short },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:site_name", content: brand.name },
    { property: "og:type", content: type },
    { property: "og:title", content: title },
    { property: "og:description", content: short },
    { property: "og:url", content: url },
    ...(image
      ? [
          { property: "og:image", content: image.url },
          { property: "og:image:alt", content: image.alt },
          ...(image.type ? [{ property: "og:image:type", content: image.type }] : []),
          ...(image.width && image.height
            ? [
                { property: "og:image:width", content: String(image.width) },
                { property: "og:image:height", content: String(image.height) },
              ]
            : []),
        ]
      : []),
    { name: "twitter:card", content: image ? "summary_large_image" : "summary" },
    { name: "twitter:title", content: title },
    { name: "twitter:description", content: short },
    ...(image
      ? [
          { name: "twitter:image", content: image.url },
          { name: "twitter:image:alt", content: image.alt },
        ]
      : []),
  ];
}

/** On one line, cut between words. */
export function shorten(text: string, most = DESCRIPTION_MAX): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= most) return line;
  const head = line.slice(0, most - 1);
  const end = head.lastIndexOf(" ");
  return `${end > most / 2 ? head.slice(0, end) : head}…`;
}

/** The picture of pages that have none of their own. `scripts/make-art.ts` draws it. */
export function brandPicture(origin: string): NonNullable<SharePage["image"]> {
  return { url: `${origin}/art/share.jpg`, width: 1200, height: 630, alt: `${brand.name}, ${brand.tagline}` };
}
