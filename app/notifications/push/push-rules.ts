/** Rules of Web Push: whom we send to, and what devices are called. */

/** How many of a person's devices are told. The one that was used least recently is forgotten first. */
export const MAX_DEVICES = 10;

/**
 * The push services of the browsers: Chrome, Edge, Opera and Samsung Internet use Google's, Safari Apple's. A browser
 * names its own address, so without this list anybody could make our server call any other.
 */
export const PUSH_SERVICES: readonly string[] = [
  "fcm.googleapis.com",
  "jmt17.google.com",
  "push.services.mozilla.com",
  "push.apple.com",
  "notify.windows.com",
];

/** Whether an endpoint is an HTTPS address of one of these hosts or below it. */
export function isPushService(endpoint: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password } = new URL(endpoint);
  return (
    protocol === "https:" &&
    `${port}${username}${password}` === "" &&
    hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))
  );
}

/** Browsers by what only their User-Agent has, the most special first. */
const BROWSERS: readonly [name: string, sign: RegExp][] = [
  ["Edge", /\bEdgA?\/|\bEdgiOS\//],
  ["Opera", /\bOPR\/|\bOPX\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\bFirefox\/|\bFxiOS\//],
  ["Chrome", /\bChrome\/|\bCriOS\/|\bHeadlessChrome\//],
  ["Safari", /\bSafari\//],
];

const SYSTEMS: readonly [name: string, sign: RegExp][] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["Mac", /\bMac OS X\b|\bMacintosh\b/],
  ["Chromebook", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
];

/** Such as "Chrome on Android", from a User-Agent. An installed app on an iPhone doesn't say its browser. */
export function deviceName(userAgent: string): string {
  const nameIn = (list: readonly [string, RegExp][]) => list.find(([, sign]) => sign.test(userAgent))?.[0];
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? "A browser";
}

/** What people put into names: "KES 1,500", "Sh500", "1500/=". */
const AMOUNT = /\b(?:KES|Kshs?|Sh)\.?\s?\d[\d.,]*|\d[\d.,]*\s?\/[=-]/giu;
/** A phone number or a code: five digits or more, also with what stands between them in one. */
const LONG_NUMBER = /\+?\p{N}(?:[\s().-]{0,2}\p{N}){4,}/gu;

/** A text without amounts, phone numbers and codes. Everybody beside a locked phone can read it. */
export function lockScreenText(text: string): string {
  return text.replaceAll(AMOUNT, "…").replaceAll(LONG_NUMBER, "…");
}
