import { themeScript } from "#app/ui/theme.ts";

/*
 * The router listens to popstate from the moment its script runs, and nothing that listens later comes before it. This listener
 * is there earlier. It dispatches a cancelable "back" event: use-back-to-close.ts cancels it when the Back closes a layer over
 * the page, and the router then does not hear of it.
 */
const backScript = `
addEventListener("popstate",e=>{
if(!document.dispatchEvent(new CustomEvent("back",{detail:e.state,cancelable:true})))e.stopImmediatePropagation()})`;

/*
 * React Router leaves two kinds of rejected promises unhandled for a moment, and neither is an error. Its stream decoder
 * rejects one if somebody navigates while the end of a page's data is still loading. When a screen is loaded again, it
 * waits for the screen's styles before it looks at an answer that is a redirect or an error; both have a status.
 */
const rejectionScript = `
addEventListener("unhandledrejection",e=>{
let r=Object(e.reason);if(r.name=="AbortError"||"status"in r)e.preventDefault()})`;

interface EarlyScriptProps {
  nonce: string | undefined;
  /** The page has no other scripts, so it needs nothing but the theme. */
  themeOnly?: boolean | undefined;
}

/** The scripts that must run before the first paint and before the app's scripts. Part of the head. */
export function EarlyScript({ nonce, themeOnly }: EarlyScriptProps) {
  // It has run before React hydrates, so the browser's bundle leaves its text out.
  const text = import.meta.env.SSR ? themeScript + (themeOnly ? "" : backScript + rejectionScript) : "";
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: text }} />;
}
