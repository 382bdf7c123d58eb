/**
 * Lets the phone's Back close what lies over a page (a dialog, a large photo, a menu) instead of leaving the page. Where the
 * browser has CloseWatcher, Back closes the layer by itself. Elsewhere the router takes the way back again, if the page before
 * was opened by a link of ours. Otherwise nobody can, so the page gets a second entry in the history, and Back leads to its first.
 */
import { useEffect, useRef } from "react";
import { useBlocker, useLocation } from "react-router";

interface Layer {
  close: () => void;
}

/** Not in TypeScript's DOM library yet. https://html.spec.whatwg.org/multipage/interaction.html#closewatcher */
declare const CloseWatcher: { new (): EventTarget & { destroy(): void } } | undefined;

/** What is open over the page, the topmost last. */
const layers: Layer[] = [];

const hasWatcher = typeof CloseWatcher !== "undefined";

/** An entry of the history. The router counts its own from 0, and gives each page a key; the first of a tab has none. */
interface Entry {
  idx?: number;
  key?: string;
  /** The second entry of its page, a copy of the first. */
  copy?: boolean;
}

/** The key of the page on the screen. */
let shownKey = "default";

/** Whether this is the second entry of a page. The one before it is the same page. */
export function isOnSecondEntry(): boolean {
  return (history.state as Entry | null)?.copy === true;
}

function addSecondEntry(): void {
  const entry = history.state as Entry | null;
  if (!hasWatcher && entry?.idx === 0 && !entry.copy) history.pushState({ ...entry, copy: true }, "");
}

/** Between the two entries of a page nothing loads: Back closes what is open, or goes on to the page before. */
function moveBetweenEntries(event: PopStateEvent): void {
  const entry = event.state as Entry | null;
  if (entry?.idx !== 0 || (entry.key ?? "default") !== shownKey) return;
  event.stopImmediatePropagation();
  const top = layers.at(-1);
  if (top) top.close();
  else if (!entry.copy) history.back();
}

// The root imports this before the router begins to listen.
if (!import.meta.env.SSR && !hasWatcher) addEventListener("popstate", moveBetweenEntries);

/** Back closes it while it is `open`. */
export function useBackToClose(open: boolean, close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => (open ? openLayer(() => latest.current()) : undefined), [open]);
}

/** Adds a layer that Back closes by calling `close`. Returns a function to call once it is closed, whatever closed it. */
export function openLayer(close: () => void): () => void {
  const layer = { close };
  layers.push(layer);
  addSecondEntry();
  const watcher = typeof CloseWatcher === "undefined" ? null : new CloseWatcher();
  watcher?.addEventListener("close", close);
  return () => {
    if (layers.includes(layer)) layers.splice(layers.indexOf(layer), 1);
    watcher?.destroy();
  };
}

/** For the root: a Back in the browser's history closes the topmost layer, and the page stays. */
export function useBackClosesLayers(): void {
  const { key } = useLocation();
  useEffect(() => {
    shownKey = key;
  }, [key]);
  const blocker = useBlocker(({ historyAction }) => historyAction === "POP" && layers.length > 0);
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    layers.at(-1)?.close();
    blocker.reset();
  }, [blocker]);
}
