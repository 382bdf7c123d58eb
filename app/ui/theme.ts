import { brand } from "./brand.ts";

export type ThemeName = "light" | "dark";

const cookieName = "theme";

/** The stored choice out of a Cookie header, or null: follow the system (accounts spec §4). */
export function readThemeCookie(cookieHeader: string | null): ThemeName | null {
  const value = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(cookieHeader ?? "")?.[1];
  return value === "light" || value === "dark" ? value : null;
}

/** What the page shows just now, where nothing is stored: an error page that takes its place keeps it. Light on the server. */
export function themeInSight(): ThemeName {
  return typeof document !== "undefined" && document.documentElement.classList.contains("dark") ? "dark" : "light";
}

/*
 * Runs before the first paint, so that nothing flashes: sets the class from the cookie, else from the system, and keeps
 * following the system while nothing is stored. A press on [data-theme-toggle] turns and stores the theme; it is handled
 * here so that it works before the app's scripts have loaded. The browser's bundle need not carry it.
 */
export const themeScript = !import.meta.env.SSR
  ? ""
  : `(function(d,w){
var r=d.documentElement,q=w.matchMedia("(prefers-color-scheme: dark)"),c=${JSON.stringify(brand.themeColour)};
function stored(){var m=/(?:^|; )${cookieName}=(light|dark)(?:;|$)/.exec(d.cookie);return m&&m[1]}
function show(t){r.classList.remove("light","dark");r.classList.add(t);
var m=d.querySelector('meta[name="theme-color"]');if(m)m.content=c[t]}
function follow(){show(stored()||(q.matches?"dark":"light"))}
follow();q.addEventListener("change",follow);
d.addEventListener("click",function(e){if(!e.target.closest||!e.target.closest("[data-theme-toggle]"))return;
var t=r.classList.contains("dark")?"light":"dark";
d.cookie="${cookieName}="+t+"; Path=/; Max-Age=31536000; SameSite=Lax"+(location.protocol==="https:"?"; Secure":"");show(t)})
})(document,window)`;
