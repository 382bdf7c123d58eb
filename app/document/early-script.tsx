import { themeScript } from "#app/ui/theme.ts";

/*
 * The router listens for Back from the moment its script runs, and a later listener cannot come before it. So this one asks, with an
 * event that can be refused, whether the Back is for something that lies over the page (use-place-in-history.ts).
 */
const backScript = `;addEventListener("popstate",function(e){
if(!document.dispatchEvent(new CustomEvent("back",{detail:e.state,cancelable:true})))e.stopImmediatePropagation()})`;

/*
 * React Router leaves a promise unhandled where a page's data is given up for another page's while its last bytes are on the way: its
 * stream decoder rejects a `done` that nobody holds. Giving up is no failure.
 */
const abortScript = `;addEventListener("unhandledrejection",function(e){if(e.reason&&e.reason.name==="AbortError")e.preventDefault()})`;

/** What has to run before everything else, the first paint included; stands in the head. */
export function EarlyScript({ nonce }: { nonce: string | undefined }) {
  // It has run long before React takes over: the browser's bundle need not carry it.
  const text = import.meta.env.SSR ? themeScript + backScript + abortScript : "";
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: text }} />;
}
