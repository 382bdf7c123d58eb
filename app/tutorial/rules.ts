/** The guided tour as a machine (accounts spec §4): what happens, and what that makes of it. */
import { type Target, type TourId, TOURS } from "./tour-rules.ts";

/** Ms, all of accounts spec §9. */
export const PAGE_READY_MS = 1000;
export const TOUR_START_MS = 1500;
export const ORDERS_START_MS = 300;
export const ORDERS_POLL_MS = 500;
export const FORM_POLL_MS = 1000;

/** From this width in px on, unless it is a touch device, people click; below they tap (accounts spec §9). */
export const MOBILE_BELOW_PX = 768;

const MARKETPLACE = "/studentmarketplace";
const SHOP = "/myshop";
/** The form for a product, where it is a page of its own. */
const FORM = "/add-product";

export interface OpenStep {
  tour: TourId;
  step: number;
  /** Which way the last move went, and so the next one if this step's target is missing. */
  direction: 1 | -1;
}

export interface Tutorial {
  active: boolean;
  /** For each tour the step to go on at; as many as it has steps once it is done. */
  progress: Readonly<Partial<Record<TourId, number>>>;
  shopDone: boolean;
  ordersPending: boolean;
  open: OpenStep | null;
  /** Tours that were closed: each stays away until the page is left. */
  closed: readonly TourId[];
}

export const NOT_BEGUN: Tutorial = {
  active: true,
  progress: {},
  shopDone: false,
  ordersPending: false,
  open: null,
  closed: [],
};
const COMPLETED: Tutorial = { ...NOT_BEGUN, active: false };

/** What a person has before them. */
export interface Scene {
  path: string;
  /** Targets that can be seen. */
  targets: ReadonlySet<string>;
  /** Whether My Shop shows its orders. */
  ordersSelected: boolean;
}

export type TutorialEvent =
  /** Another page came. */
  | { type: "arrived"; path: string }
  /** The page has settled: its tour may begin. */
  | { type: "settled"; scene: Scene }
  /** My Shop was looked at again: its form or its orders may have come up, or gone. */
  | { type: "watched"; scene: Scene }
  /** Buttons of a step. */
  | { type: "next" | "back" | "close" | "skip" }
  /** The step's target is not on the page. */
  | { type: "missing" }
  /** Buttons of the debug panel. */
  | { type: "start" | "start-orders"; scene: Scene }
  | { type: "reset" };

/** What is to be done on the page. */
export type Errand = { do: "go"; to: string } | { do: "press"; target: Target };

export interface Outcome {
  tutorial: Tutorial;
  errand: Errand | null;
}

const OPEN_ORDERS = { do: "press", target: "shop-orders-tab" } as const satisfies Errand;

/** What becomes of the tutorial when the last step of a tour is finished (accounts spec §4). */
const AT_THE_END: Readonly<Record<TourId, (tutorial: Tutorial) => Outcome>> = {
  home: (tutorial) => ({ tutorial, errand: { do: "go", to: MARKETPLACE } }),
  marketplace: (tutorial) => ({ tutorial, errand: { do: "go", to: SHOP } }),
  shop: (tutorial) => ({ tutorial: { ...tutorial, shopDone: true, ordersPending: true }, errand: OPEN_ORDERS }),
  orders: () => only(COMPLETED),
  product: only,
  other: only,
};

/** And when it is skipped. In the shop that silences the shop and its form; the orders still explain themselves when opened. */
const WHEN_SKIPPED: Readonly<Record<TourId, (tutorial: Tutorial) => Tutorial>> = {
  home: () => COMPLETED,
  marketplace: () => COMPLETED,
  shop: leaveShop,
  orders: () => COMPLETED,
  product: leaveShop,
  other: () => COMPLETED,
};

/** The tutorial after an event, and what is to be done about it. */
export function advance(tutorial: Tutorial, event: TutorialEvent): Outcome {
  switch (event.type) {
    case "arrived":
      return only({ ...tutorial, open: null, closed: [], ordersPending: tutorial.ordersPending && isShop(event.path) });
    case "settled":
      return settle(tutorial, event.scene);
    case "watched":
      return watch(tutorial, event.scene);
    case "next":
      return tutorial.open ? move(tutorial, tutorial.open, 1) : only(tutorial);
    case "back":
      return tutorial.open && tutorial.open.step > 0 ? move(tutorial, tutorial.open, -1) : only(tutorial);
    case "missing":
      return tutorial.open ? move(tutorial, tutorial.open, tutorial.open.direction) : only(tutorial);
    case "close":
      return only(
        tutorial.open ? { ...tutorial, open: null, closed: [...tutorial.closed, tutorial.open.tour] } : tutorial,
      );
    case "skip":
      return only(tutorial.open ? WHEN_SKIPPED[tutorial.open.tour]({ ...tutorial, open: null }) : tutorial);
    case "start":
      return only(openAt({ ...tutorial, active: true }, { tour: tourOf(event.scene), step: 0, direction: 1 }));
    case "start-orders":
      return startOrders(tutorial, event.scene);
    case "reset":
      return only(NOT_BEGUN);
  }
}

/**
 * The tour that belongs to what is seen: the page's own, My Shop's form and orders before My Shop, and the general one where a
 * page has none or shows nothing of it (accounts spec §2).
 */
export function tourOf(scene: Scene): TourId {
  const tour = pageTour(scene);
  return isShown(tour, scene) ? tour : "other";
}

/** The tour that is to open now, if any. */
function dueTour(tutorial: Tutorial, scene: Scene): TourId | null {
  if (!tutorial.active) return null;
  const tour = tourOf(scene);
  if (isDone(tutorial, tour) || tutorial.closed.includes(tour)) return null;
  if (!tutorial.open) return tour;
  // My Shop's tour gives way to the form's and to the orders'.
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

function isShown(tour: TourId, { targets }: Scene): boolean {
  return TOURS[tour].some((step) => step.targets.some((target) => targets.has(target)));
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
  if (tour) return only(resume(tutorial, tour));
  // The hand-over to the orders was cut off, for instance by a reload.
  const waits = tutorial.active && tutorial.ordersPending && isShop(scene.path) && !scene.ordersSelected;
  return { tutorial, errand: waits && scene.targets.has(OPEN_ORDERS.target) ? OPEN_ORDERS : null };
}

function watch(tutorial: Tutorial, scene: Scene): Outcome {
  const left = tutorial.open?.tour === "product" && !hasForm(scene) ? { ...tutorial, open: null } : tutorial;
  const tour = isShop(scene.path) ? dueTour(left, scene) : null;
  // A tab without its content is still on its way, and no reason for the general tour.
  return only(tour && tour !== "other" ? resume(left, tour) : left);
}

function resume(tutorial: Tutorial, tour: TourId): Tutorial {
  return openAt(tutorial, { tour, step: stepOf(tutorial.progress, tour), direction: 1 });
}

/** One step on or back. Before the first step it turns around, after the last one the tour is finished. */
function move(tutorial: Tutorial, { tour, step }: OpenStep, direction: 1 | -1): Outcome {
  if (step + direction < 0) return only(openAt(tutorial, { tour, step: step + 1, direction: 1 }));
  if (step + direction < TOURS[tour].length) return only(openAt(tutorial, { tour, step: step + direction, direction }));
  return AT_THE_END[tour]({ ...tutorial, open: null, progress: { ...tutorial.progress, [tour]: TOURS[tour].length } });
}

function openAt(tutorial: Tutorial, open: OpenStep): Tutorial {
  return { ...tutorial, open, progress: { ...tutorial.progress, [open.tour]: open.step } };
}

function leaveShop(tutorial: Tutorial): Tutorial {
  return {
    ...tutorial,
    shopDone: true,
    progress: { ...tutorial.progress, shop: TOURS.shop.length, product: TOURS.product.length },
  };
}

function startOrders(tutorial: Tutorial, scene: Scene): Outcome {
  const { orders: _, ...progress } = tutorial.progress;
  const waiting: Tutorial = {
    ...tutorial,
    active: true,
    open: null,
    closed: [],
    progress,
    shopDone: true,
    ordersPending: true,
  };
  if (!isShop(scene.path)) return { tutorial: waiting, errand: { do: "go", to: SHOP } };
  return scene.ordersSelected ? only(waiting) : { tutorial: waiting, errand: OPEN_ORDERS };
}

function only(tutorial: Tutorial): Outcome {
  return { tutorial, errand: null };
}

/** The saved progress, less what no longer fits. Returns {} for anything unreadable. */
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
