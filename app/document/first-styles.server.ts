import { createCookie, type EntryContext } from "react-router";
import { prepareText } from "./direct-stream.server.ts";

/** The name of the style sheet that this browser has had in a page. Not secret. */
const COOKIE = "styles";
const YEAR_S = 365 * 24 * 60 * 60;

interface Assets {
  readAsset(path: string): Promise<string | null>;
}

interface FirstStyles {
  /** The text of each style sheet in the page, by its address. */
  texts: ReadonlyMap<string, string>;
  /** The Set-Cookie header after which later pages link to the files. */
  cookie: string;
}

/**
 * The style sheets to write into the page of a browser that has none of this release, so that it paints without another
 * request. On a slow network that saves half a second. Later pages link to the files, which the browser keeps.
 * @returns null for a browser that was here since the release, and if the files can't be read
 */
export async function findFirstStyles(
  request: Request,
  { manifest, staticHandlerContext }: EntryContext,
  assets: Assets,
): Promise<FirstStyles | null> {
  const release = /([\w-]+)\.css/.exec(manifest.routes.root?.css?.[0] ?? "")?.[1];
  if (release === undefined) return null;
  const cookie = createCookie(COOKIE, {
    httpOnly: true,
    sameSite: "lax",
    secure: new URL(request.url).protocol === "https:",
    path: "/",
    maxAge: YEAR_S,
  });
  if ((await cookie.parse(request.headers.get("Cookie"))) === release) return null;
  const texts = await readStyles({ manifest, staticHandlerContext }, assets);
  return texts.size === 0 ? null : { texts, cookie: await cookie.serialize(release) };
}

/** The text of each style sheet of a page, by its address. A file that can't be read is missing. */
export async function readStyles(
  { manifest, staticHandlerContext }: Pick<EntryContext, "manifest" | "staticHandlerContext">,
  assets: Assets,
): Promise<ReadonlyMap<string, string>> {
  const addresses = new Set(staticHandlerContext.matches.flatMap(({ route }) => manifest.routes[route.id]?.css ?? []));
  const read = await Promise.all(
    [...addresses].map(async (address) => [address, await assets.readAsset(address)] as const),
  );
  const texts = new Map(read.flatMap(([address, text]) => (text === null ? [] : [[address, text] as const])));
  for (const text of texts.values()) prepareText(text);
  return texts;
}
