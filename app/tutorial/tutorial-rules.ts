/**
 * The guided tour as a state machine: `advance` takes the tutorial and an event, and returns the tutorial after it.
 * Pure.
 */
import { type Target, type TourId, TOURS } from "./tour-rules.ts";

/** Waits and polling intervals, ms. */
export const PAGE_READY_MS = 1000;
export const TOUR_START_MS = 1500;
export const ORDERS_START_MS = 300;
export const ORDERS_POLL_MS = 500;
export const FORM_POLL_MS = 1000;

/** Below this width in px, and on touch devices, the texts say "Tap" instead of "Click". */
export const MOBILE_BELOW_PX = 768;

const MARKETPLACE = "/studentmarketplace";
const SHOP = "/myshop";
/** The form for a new product as a page of its own. */
const FORM = "/add-product";

export interface OpenStep {
  tour: TourId;
  step: number;
  /** The tour's steps that this page can show, as indexes into the tour. Holds `step`. */
  shown: readonly number[];
}

export interface Tutorial {
  active: boolean;
  /** For each tour the step to continue at. A finished tour has its number of steps here. */
  progress: Readonly<Partial<Record<TourId, number>>>;
  shopDone: boolean;
  ordersPending: boolean;
  open: OpenStep | null;
}

export const NOT_BEGUN: Tutorial = { active: true, progress: {}, shopDone: false, ordersPending: false, open: null };
const COMPLETED: Tutorial = { ...NOT_BEGUN, active: false };

/** What the page shows. */
export interface Scene {
  path: string;
  /** Targets that are visible. */
  targets: ReadonlySet<string>;
  /** Whether My Shop shows its orders tab. */
  ordersSelected: boolean;
}

export type TutorialEvent =
  /** Another page was opened. */
  | { type: "arrived"; path: string }
  /** The page has loaded, so its tour may begin. */
  | { type: "settled"; scene: Scene }
  /** My Shop is checked at intervals, because its form or its orders may have opened or closed. */
  | { type: "watched"; scene: Scene }
  /** Buttons of a step. */
  | { type: "next" | "back"; scene: Scene }
  /** Skip Tutorial, Close and Escape. */
  | { type: "end" }
  /** Buttons of the debug panel. */
  | { type: "start" | "start-orders"; scene: Scene }
  | { type: "reset" };

/** What the page has to do after an event. */
export type PageAction = { do: "go"; to: string } | { do: "press"; target: Target };

export interface Outcome {
  tutorial: Tutorial;
  action: PageAction | null;
}

const OPEN_ORDERS = { do: "press", target: "shop-orders-tab" } as const satisfies PageAction;

const BROWSE = { do: "go", to: MARKETPLACE } as const satisfies PageAction;

/** What finishing the last step of each tour does. Whoever has sold nothing yet goes on as a buyer. */
const WHEN_FINISHED: Readonly<Record<TourId, (tutorial: Tutorial, scene: Scene) => Outcome>> = {
  home: (tutorial) => ({ tutorial, action: BROWSE }),
  marketplace: (tutorial) => ({ tutorial, action: { do: "go", to: SHOP } }),
  shop: (tutorial) => ({ tutorial: { ...tutorial, shopDone: true, ordersPending: true }, action: OPEN_ORDERS }),
  orders: (_, { targets }) => ({ tutorial: COMPLETED, action: targets.has("orders-details") ? null : BROWSE }),
  product: only,
  other: only,
};

/** Returns the tutorial after an event, and what the page has to do. */
export function advance(tutorial: Tutorial, event: TutorialEvent): Outcome {
  switch (event.type) {
    case "arrived":
      return only({ ...tutorial, open: null, ordersPending: tutorial.ordersPending && isShop(event.path) });
    case "settled":
      return settle(tutorial, event.scene);
    case "watched":
      return watch(tutorial, event.scene);
    case "next":
      return tutorial.open ? goForward(tutorial, tutorial.open, event.scene) : only(tutorial);
    case "back":
      return only(tutorial.open ? goBack(tutorial, tutorial.open, event.scene) : tutorial);
    case "end":
      return only(tutorial.open ? COMPLETED : tutorial);
    case "start":
      return only(openAt({ ...tutorial, active: true }, tourOf(event.scene), 0, event.scene));
    case "start-orders":
      return startOrders(tutorial, event.scene);
    case "reset":
      return only(NOT_BEGUN);
  }
}

/**
 * The tour for what the page shows. In My Shop the product form and the orders come before the dashboard. The general
 * tour is for pages that have no tour, or show none of its targets.
 */
export function tourOf(scene: Scene): TourId {
  const tour = pageTour(scene);
  return TOURS[tour].some(({ targets }) => hasAny(scene, targets)) ? tour : "other";
}

/** The tour to open now, if any. */
function dueTour(tutorial: Tutorial, scene: Scene): TourId | null {
  if (!tutorial.active) return null;
  const tour = tourOf(scene);
  if (isDone(tutorial, tour)) return null;
  if (!tutorial.open) return tour;
  // The form and the orders interrupt My Shop's tour.
  return tutorial.open.tour === "shop" && (tour === "product" || tour === "orders") ? tour : null;
}

function pageTour(scene: Scene): TourId {
  const { path, ordersSelected } = scene;
  if (path === "/home") return "home";
  if (path === MARKETPLACE || path.includes("/search")) return "marketplace";
  if (!isShop(path)) return "other";
  if (hasForm(scene)) return "product";
  return ordersSelected ? "orders" : "shop";
}

function hasForm({ targets }: Scene): boolean {
  return targets.has("product-name");
}

function hasAny({ targets }: Scene, wanted: readonly Target[]): boolean {
  return wanted.some((target) => targets.has(target));
}

/**
 * The steps that the page can show, as indexes into the tour: those without a target, and those whose target is
 * visible.
 */
function stepsIn(tour: TourId, scene: Scene): number[] {
  return TOURS[tour].flatMap(({ targets }, step) => (targets.length === 0 || hasAny(scene, targets) ? [step] : []));
}

function isShop(path: string): boolean {
  return path === SHOP || path === FORM || path.startsWith(`${SHOP}/`);
}

function isDone({ progress, shopDone }: Tutorial, tour: TourId): boolean {
  return (tour === "shop" && shopDone) || stepOf(progress, tour) >= TOURS[tour].length;
}

function stepOf(progress: Tutorial["progress"], tour: TourId): number {
  return progress[tour] ?? 0;
}

function settle(tutorial: Tutorial, scene: Scene): Outcome {
  const tour = dueTour(tutorial, scene);
  if (tour) return only(resume(tutorial, tour, scene));
  // A reload can come between the end of My Shop's tour and the opening of its orders.
  const waits = tutorial.active && tutorial.ordersPending && isShop(scene.path) && !scene.ordersSelected;
  return { tutorial, action: waits && scene.targets.has(OPEN_ORDERS.target) ? OPEN_ORDERS : null };
}

function watch(tutorial: Tutorial, scene: Scene): Outcome {
  const left = tutorial.open?.tour === "product" && !hasForm(scene) ? { ...tutorial, open: null } : tutorial;
  const tour = isShop(scene.path) ? dueTour(left, scene) : null;
  // A tab without targets is still loading: that is no reason to open the general tour.
  return only(tour && tour !== "other" ? resume(left, tour, scene) : left);
}

function resume(tutorial: Tutorial, tour: TourId, scene: Scene): Tutorial {
  return openAt(tutorial, tour, stepOf(tutorial.progress, tour), scene);
}

/** Opens a tour at `step`, or at the nearest later step that the page can show, or at the last one. */
function openAt(tutorial: Tutorial, tour: TourId, step: number, scene: Scene): Tutorial {
  const shown = stepsIn(tour, scene);
  const first = shown.find((each) => each >= step) ?? shown.at(-1);
  return first === undefined ? { ...tutorial, open: null } : show(tutorial, { tour, step: first, shown });
}

function goForward(tutorial: Tutorial, { tour, step }: OpenStep, scene: Scene): Outcome {
  const shown = stepsIn(tour, scene);
  const next = shown.find((each) => each > step);
  if (next !== undefined) return only(show(tutorial, { tour, step: next, shown }));
  const progress = { ...tutorial.progress, [tour]: TOURS[tour].length };
  return WHEN_FINISHED[tour]({ ...tutorial, open: null, progress }, scene);
}

function goBack(tutorial: Tutorial, { tour, step }: OpenStep, scene: Scene): Tutorial {
  const shown = stepsIn(tour, scene);
  const previous = shown.findLast((each) => each < step);
  return previous === undefined ? tutorial : show(tutorial, { tour, step: previous, shown });
}

function show(tutorial: Tutorial, open: OpenStep): Tutorial {
  return { ...tutorial, open, progress: { ...tutorial.progress, [open.tour]: open.step } };
}

function startOrders(tutorial: Tutorial, scene: Scene): Outcome {
  const { orders: _, ...progress } = tutorial.progress;
  const waiting: Tutorial = { active: true, open: null, progress, shopDone: true, ordersPending: true };
  if (!isShop(scene.path)) return { tutorial: waiting, action: { do: "go", to: SHOP } };
  return scene.ordersSelected ? only(waiting) : { tutorial: waiting, action: OPEN_ORDERS };
}

function only(tutorial: Tutorial): Outcome {
  return { tutorial, action: null };
}

/** Reads saved progress, without entries that name no step of today's tours. Returns {} for anything unreadable. */
export function readProgress(saved: string | null): Tutorial["progress"] {
  try {
    const value: unknown = JSON.parse(saved ?? "{}");
    if (typeof value !== "object" || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([tour, step]) => isStep(tour, step)));
  } catch {
    return {};
  }
}

function isStep(tour: string, step: unknown): boolean {
  return (
    Object.hasOwn(TOURS, tour) &&
    Number.isInteger(step) &&
    Number(step) >= 0 &&
    Number(step) <= TOURS[tour as TourId].length
  );
}
