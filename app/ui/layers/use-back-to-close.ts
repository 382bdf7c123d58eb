/**
 * Lets the phone's Back close what lies over a page (a dialog, a large photo, a menu) instead of leaving the page.
 * Where the browser has CloseWatcher, Back closes the layer by itself. Elsewhere the router takes the way back again,
 * if the page before was opened by a link of ours; otherwise Back leaves.
 */
import { useEffect, useRef } from "react";
import { useBlocker } from "react-router";

interface Layer {
  close: () => void;
}

/** Not in TypeScript's DOM library yet. https://html.spec.whatwg.org/multipage/interaction.html#closewatcher */
declare const CloseWatcher: { new (): EventTarget & { destroy(): void } } | undefined;

/** What is open over the page, the topmost last. */
const layers: Layer[] = [];

/** Back closes it while it is `open`. */
export function useBackToClose(open: boolean, close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => (open ? openLayer(() => latest.current()) : undefined), [open]);
}

/**
 * Adds a layer that Back closes by calling `close`. Returns a function to call once it is closed, whatever closed it.
 */
export function openLayer(close: () => void): () => void {
  const layer = { close };
  layers.push(layer);
  const watcher = typeof CloseWatcher === "undefined" ? null : new CloseWatcher();
  watcher?.addEventListener("close", close);
  return () => {
    if (layers.includes(layer)) layers.splice(layers.indexOf(layer), 1);
    watcher?.destroy();
  };
}

/** For the root: a Back in the browser's history closes the topmost layer, and the page stays. */
export function useBackClosesLayers(): void {
  const blocker = useBlocker(({ historyAction }) => historyAction === "POP" && layers.length > 0);
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    layers.at(-1)?.close();
    blocker.reset();
  }, [blocker]);
}
