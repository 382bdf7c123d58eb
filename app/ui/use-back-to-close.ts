/**
 * Gives what lies over a page (a window, a large photo, a menu) a place of its own in the browser's history, for the phone's Back
 * to leave. The router, whose page does not change, is not told; a page it goes to meanwhile takes that place.
 */
import { useEffect, useRef } from "react";

interface Layer {
  close: () => void;
}

type Place = Parameters<History["pushState"]>;
type PlaceState = ({ idx?: number } & Record<string, unknown>) | null;

/** How the early script asks, before the router hears of a Back or Forward, whether it is ours; refusing it says so. */
const BACK = "back";

/** In the state of a place of ours: how many lie above the page's own, with it. */
const MARK = "over";

/** What lies over the page, the topmost last. */
let layers: Layer[] = [];
let places = 0;
/** The router's number of the page below. */
let pageIndex: number | undefined;
/** What the router has made of the page's own place meanwhile. */
let page: Place | null = null;
/** Back has been asked for; the browser takes its time. */
let leaving = false;
/** Where the router went in that time. */
let arrival: Place | null = null;

/** Back closes it while it is `open`. */
export function useBackToClose(open: boolean, close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => (open ? openLayer(() => latest.current()) : undefined), [open]);
}

/** For what has just opened: Back will call `close`. Returns what gives the place up: call it once it has closed, whatever closed it. */
export function openLayer(close: () => void): () => void {
  const layer = { close };
  layers.push(layer);
  settle();
  return () => {
    layers = layers.filter((other) => other !== layer);
    // Not at once: who closes a window may open the next one, or go elsewhere, in the same breath.
    setTimeout(settle);
  };
}

/** Sees to as many places as there are layers. */
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
  // The mark of what was open before a reload: nothing is any more.
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

/** The router goes to another page: it takes our place, so that Back leads from there to the page below. */
function onPush(...to: Place): void {
  if (!leaving && places === 1) {
    end();
    put("replaceState", to);
    return;
  }
  arrival = to;
  if (!leaving) goBack(places);
}

/** The router gives the page another address or state: the place below has to have it too, once it is reached. */
function onReplace(...to: Place): void {
  page = to;
  put("replaceState", [{ ...(to[0] as PlaceState), [MARK]: places }, to[1], to[2]]);
}

function onBack(event: Event): void {
  const state = (event as CustomEvent<PlaceState>).detail;
  const before = layers;
  if (state?.idx !== pageIndex) {
    // Further than to the page below: that is the router's.
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

/** As if nobody listened. */
function put(how: "pushState" | "replaceState", place: Place): void {
  History.prototype[how].apply(history, place);
}
