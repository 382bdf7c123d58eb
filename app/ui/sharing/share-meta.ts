import { brand } from "#app/ui/page/brand.ts";
import { pageTitle } from "#app/ui/page/page-meta.ts";

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
    { property: "og:url", content: url },
    { name: "twitter:card", content: image ? "summary_large_image" : "summary" },
    ...forBoth("title", title),
    ...forBoth("description", short),
    ...(image
      ? [
          ...forBoth("image", image.url),
          ...forBoth("image:alt", image.alt),
          ...(image.type ? [{ property: "og:image:type", content: image.type }] : []),
          ...(image.width && image.height
            ? [
                { property: "og:image:width", content: String(image.width) },
                { property: "og:image:height", content: String(image.height) },
              ]
            : []),
        ]
      : []),
  ];
}

/** A tag of Open Graph, and the same for the Twitter card. */
function forBoth(what: string, content: string) {
  return [
    { property: `og:${what}`, content },
    { name: `twitter:${what}`, content },
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
