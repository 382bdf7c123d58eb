import { drawQr, type QrDrawing } from "#app/platform/qr-code.ts";

/** Where a poster leads. */
export interface PosterLink {
  url: string;
  /** The link without "https://", for people who type it. */
  shown: string;
  qr: QrDrawing;
}

/** `path`: the short path of a public page. The poster leads to the site that it was opened on. */
export function posterLink(request: Request, path: string): PosterLink {
  const { host, origin } = new URL(request.url);
  const url = origin + path;
  return { url, shown: host + path, qr: drawQr(url) };
}
