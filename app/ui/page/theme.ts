import { brand } from "./brand.ts";

export type ThemeName = "light" | "dark";

const cookieName = "theme";

/** The theme that a Cookie header stores; null where it stores none, and the system decides. */
export function readThemeCookie(cookieHeader: string | null): ThemeName | null {
  const value = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(cookieHeader ?? "")?.[1];
  return value === "light" || value === "dark" ? value : null;
}

/** The theme that the page shows now, so that an error page keeps it. Light on the server. */
export function shownTheme(): ThemeName {
  return typeof document !== "undefined" && document.documentElement.classList.contains("dark") ? "dark" : "light";
}

/**
 * Runs before the first paint, so that nothing flashes. It takes the theme from the cookie, or else from the system,
 * and follows the system while nothing is stored. It also handles a press on [data-theme-toggle], which then works
 * before the app's scripts have loaded, and marks the document, because the button shows only then. It runs from the
 * page's HTML, so the browser's bundle leaves it out. Plain pages have it, too, so it uses nothing of the last years:
 * a browser that doesn't know its syntax, or lacks a listener of media queries, would run none of it.
 */
export const themeScript = !import.meta.env.SSR
  ? ""
  : `{let d=document,r=d.documentElement,q=matchMedia("(prefers-color-scheme: dark)"),
c=${JSON.stringify(brand.themeColour)},
show=t=>{r.className=t;let m=d.querySelector("meta[name=theme-color]");if(m)m.content=c[t]},
follow=()=>show((/(?:^|; )${cookieName}=(light|dark)\\b/.exec(d.cookie)||[])[1]||(q.matches?"dark":"light"));
follow();q.onchange=follow;r.setAttribute("data-themed","");
d.addEventListener("click",e=>{if(!(e.target.closest&&e.target.closest("[data-theme-toggle]")))return;
let t=r.className=="dark"?"light":"dark";
d.cookie="${cookieName}="+t+"; Path=/; Max-Age=31536000; SameSite=Lax"+
(location.protocol=="https:"?"; Secure":"");show(t)})}`;
