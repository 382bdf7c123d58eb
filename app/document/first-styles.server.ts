import { createCookie, type EntryContext } from "react-router";
import { prepareText } from "./direct-stream.server.ts";

/** The name of the style sheet that this browser has had in a page. Not secret. */
const COOKIE = "styles";
const YEAR_S = 365 * 24 * 60 * 60;

interface Assets {
  readAsset(path: string): Promise<string | null>;
}

interface FirstStyles {
  /** The style sheet's text. */
  text: string;
  /** The Set-Cookie header after which later pages link to the file. */
  cookie: string;
}

type Manifest = EntryContext["manifest"];

/**
 * The app's one style sheet, to write into the page of a browser that has none of this release, so that it paints without
 * another request. On a slow network that saves half a second. Later pages link to the file, which the browser keeps.
 * @returns null for a browser that was here since the release, and if the file can't be read
 */
export async function findFirstStyles(
  request: Request,
  manifest: Manifest,
  assets: Assets,
): Promise<FirstStyles | null> {
  const release = /([\w-]+)\.css/.exec(addressOf(manifest) ?? "")?.[1];
  if (release === undefined) return null;
  const cookie = createCookie(COOKIE, {
    httpOnly: true,
    sameSite: "lax",
    secure: new URL(request.url).protocol === "https:",
    path: "/",
    maxAge: YEAR_S,
  });
  if ((await cookie.parse(request.headers.get("Cookie"))) === release) return null;
  const text = await readStyles(manifest, assets);
  return text === null ? null : { text, cookie: await cookie.serialize(release) };
}

/** The text of the style sheet; null if it can't be read. */
export async function readStyles(manifest: Manifest, assets: Assets): Promise<string | null> {
  const address = addressOf(manifest);
  const text = address === undefined ? null : await assets.readAsset(address);
  if (text !== null) prepareText(text);
  return text;
}

/** The build makes one style sheet, which belongs to the root route (vite.config.ts). */
function addressOf(manifest: Manifest): string | undefined {
  return manifest.routes.root?.css?.[0];
}
