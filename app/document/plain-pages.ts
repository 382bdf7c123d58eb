/**
 * Browsers older than our oldest (scripts/browsers.ts) get each page as it is without scripts: its forms and links
 * work, and never half of the rest. A script in the head finds out, because a browser's name says little, and a cookie
 * tells the server.
 */
const cookieName = "plain";

/** It draws pages on servers of its own, and runs no script of ours. */
const PROXIED = /\bOpera Mini\b/;

/** Whether a request's pages have no scripts. */
export function wantsPlainPages({ headers }: Request): boolean {
  return cookieIn(headers.get("Cookie") ?? "") || PROXIED.test(headers.get("User-Agent") ?? "");
}

function cookieIn(cookies: string): boolean {
  return new RegExp(`(?:^|; *)${cookieName}=1(?:;|$)`).test(cookies);
}

/**
 * What all of our oldest browsers have, and of which each older one lacks something: the name in MDN's data, and what
 * asks for it.
 */
export const ASKED_FOR = {
  "css.types.color.color-mix": 'CSS.supports("color","color-mix(in srgb,red,red)")',
  "css.selectors.has": 'CSS.supports("selector(:has(a))")',
  "api.CompressionStream": '"CompressionStream" in window',
} as const;

/**
 * Marks the document as one whose scripts will run, for style sheets; or asks for it again without. Also the way back,
 * after an update. It must run in the oldest browsers, too. The browser's bundle leaves it out, as it has run before.
 */
export const plainScript = !import.meta.env.SSR
  ? ""
  : `(function(d){var isOld=!(window.CSS&&CSS.supports&&${Object.values(ASKED_FOR).join("&&")}),
has=function(){return /(^|; )${cookieName}=1/.test(d.cookie)},had=has();
if(!isOld)d.documentElement.setAttribute("data-scripted","");
if(isOld==had)return;
d.cookie="${cookieName}=1; path=/; samesite=lax; max-age="+(isOld?31536000:0);
if(has()==isOld)location.reload()})(document)`;
