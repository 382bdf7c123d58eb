/**
 * Lets the phone's Back close what lies over a page: a dialog, a large photo, a menu. Each such layer gets an entry of its own in
 * the browser's history, on top of the page's entry. The router does not know of these entries, because its page does not change.
 * A page that it goes to meanwhile replaces them. See app/document/README.md.
 */
import { useEffect, useRef } from "react";

interface Layer {
  close: () => void;
}

type Place = Parameters<History["pushState"]>;
type PlaceState = ({ idx?: number } & Record<string, unknown>) | null;

/** The event of app/document/before-router.ts, before the router handles a Back or Forward. Canceling it keeps it from the router. */
const BACK = "back";

/** Key in the state of our entries: how many of ours lie above the page's entry, this one included. */
const MARK = "over";

/** What is open over the page, the topmost last. */
let layers: Layer[] = [];
/** Entries of ours in the history, above the page's. */
let places = 0;
/** The router's index of the page below. */
let pageIndex: number | undefined;
/** What the router has replaced the page's entry by while a layer was open. */
let page: Place | null = null;
/** We have called history.go(), and its popstate has not come yet. */
let leaving = false;
/** Where the router went meanwhile. */
let arrival: Place | null = null;

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
  settle();
  return () => {
    layers = layers.filter((other) => other !== layer);
    // Not at once: the code that closes a dialog may open the next one, or navigate, in the same task.
    setTimeout(settle);
  };
}

/** Makes the number of our entries equal to the number of open layers. */
function settle(): void {
  if (leaving) return;
  if (places === 0 && layers.length > 0) begin();
  while (places < layers.length) {
    places += 1;
    put("pushState", [{ ...stateNow(), [MARK]: places }, ""]);
  }
  if (places > layers.length) goBack(places - layers.length);
}

function begin(): void {
  page = null;
  // A mark that a reload left: no layer is open any more.
  const { [MARK]: _, ...state } = stateNow() ?? {};
  put("replaceState", [state, ""]);
  pageIndex = stateNow()?.idx;
  document.addEventListener(BACK, onBack);
  history.pushState = onPush;
  history.replaceState = onReplace;
}

function end(): void {
  document.removeEventListener(BACK, onBack);
  Reflect.deleteProperty(history, "pushState");
  Reflect.deleteProperty(history, "replaceState");
  layers = [];
  places = 0;
  page = null;
  leaving = false;
  arrival = null;
}

function goBack(count: number): void {
  leaving = true;
  history.go(-count);
}

/** The router goes to another page, which replaces our entry: Back leads from there to the page below. */
function onPush(...to: Place): void {
  if (!leaving && places === 1) {
    end();
    put("replaceState", to);
    return;
  }
  arrival = to;
  if (!leaving) goBack(places);
}

/** The router changes the page's address or state: the page's own entry gets it too, once we are back there. */
function onReplace(...to: Place): void {
  page = to;
  put("replaceState", [{ ...(to[0] as PlaceState), [MARK]: places }, to[1], to[2]]);
}

function onBack(event: Event): void {
  const state = (event as CustomEvent<PlaceState>).detail;
  const before = layers;
  if (state?.idx !== pageIndex) {
    // Further than to the page below: the router handles it.
    end();
    for (const { close } of before) close();
    return;
  }
  event.preventDefault();
  places = Number(state?.[MARK] ?? 0);
  if (!leaving) layers = before.slice(0, places);
  leaving = false;
  if (places === 0 && page) put("replaceState", page);
  if (places === 0 && (arrival || layers.length === 0)) {
    const next = arrival;
    end();
    if (next) put("pushState", next);
  }
  for (const layer of before) if (!layers.includes(layer)) layer.close();
  settle();
}

function stateNow(): PlaceState {
  return history.state as PlaceState;
}

/** Calls the browser's own method, past our replacements. */
function put(how: "pushState" | "replaceState", place: Place): void {
  History.prototype[how].apply(history, place);
}
