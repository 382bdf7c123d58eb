import { globSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  advance,
  type PageAction,
  NOT_BEGUN,
  readProgress,
  type Scene,
  tourOf,
  type Tutorial,
  type TutorialEvent,
} from "#app/tutorial/tutorial-rules.ts";
import { beginsHere, isActive, isNewcomer } from "#app/tutorial/start-rules.ts";
import { type Target, type TourId, TOURS } from "#app/tutorial/tour-rules.ts";

const EVERYTHING = [...new Set(Object.values(TOURS).flatMap((steps) => steps.flatMap((step) => step.targets)))];

function scene(path: string, change: { targets?: Target[]; without?: Target[]; ordersSelected?: boolean } = {}): Scene {
  const form: Target[] = TOURS.product.flatMap((step) => step.targets);
  const targets =
    change.targets ?? EVERYTHING.filter((target) => !form.includes(target) && !change.without?.includes(target));
  return { path, targets: new Set(targets), ordersSelected: change.ordersSelected ?? false };
}

const HOME = scene("/home");
const MARKETPLACE = scene("/studentmarketplace");
const SHOP = scene("/myshop");
const ORDERS = scene("/myshop", { ordersSelected: true });
const FORM = scene("/myshop", { targets: EVERYTHING });

/** Sends events one after another, and returns the last one's action. */
function play(tutorial: Tutorial, ...events: TutorialEvent[]): Tutorial & { action: PageAction | null } {
  return events.reduce<Tutorial & { action: PageAction | null }>(
    (state, event) => {
      const { action: _, ...before } = state;
      const outcome = advance(before, event);
      return { ...outcome.tutorial, action: outcome.action };
    },
    { ...tutorial, action: null },
  );
}

const settled = (at: Scene): TutorialEvent => ({ type: "settled", scene: at });
const watched = (at: Scene): TutorialEvent => ({ type: "watched", scene: at });
/** A page that shows everything. */
const FULL = scene("/", { targets: EVERYTHING });
const next: TutorialEvent = { type: "next", scene: FULL };
const back: TutorialEvent = { type: "back", scene: FULL };
const end: TutorialEvent = { type: "end" };
const all = (tour: TourId): TutorialEvent[] => TOURS[tour].map(() => next);
const saved = ({ active, progress, shopDone, ordersPending }: Tutorial) => ({
  active,
  progress,
  shopDone,
  ordersPending,
});

test("each tour has the number of steps that was agreed", () => {
  expect(Object.fromEntries(Object.entries(TOURS).map(([tour, steps]) => [tour, steps.length]))).toEqual({
    home: 4,
    marketplace: 5,
    shop: 5,
    orders: 7,
    product: 6,
    other: 3,
  });
});

test("the interface marks every place that the tours point at", () => {
  const sources = globSync("app/**/*.{ts,tsx}").filter((file) => !file.startsWith("app/tutorial/"));
  const lines = sources.flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => /tour/.test(line)),
  );
  const marks = lines.flatMap((line) =>
    [...line.matchAll(/(?:data-tour=|tour[=:] ?)"([\w-]+)"/g)].map(([, name]) => name),
  );
  expect(
    EVERYTHING.filter((target) => !sources.some((file) => readFileSync(file, "utf8").includes(`"${target}"`))),
  ).toEqual([]);
  expect([...new Set(marks)].filter((mark) => !EVERYTHING.some((target) => target === mark))).toEqual([]);
});

test("the tour is on for who arrived new or asked for it, until it is completed", () => {
  const nothing = { newUser: null, loggedInBefore: null, completed: null, waits: false };
  const at = "/cart";
  expect(isActive(nothing, at)).toBe(false);
  expect(isActive({ ...nothing, newUser: "true" }, at)).toBe(true);
  expect(isActive({ ...nothing, loggedInBefore: "true" }, at)).toBe(true);
  expect(isActive({ ...nothing, loggedInBefore: "true", completed: "yes" }, at)).toBe(true);
  expect(isActive({ ...nothing, newUser: "true", loggedInBefore: "true", completed: "true" }, at)).toBe(false);
  expect(isNewcomer({ ...nothing, newUser: "true" }, at)).toBe(true);
  expect(isNewcomer({ ...nothing, newUser: "true", completed: "true" }, at)).toBe(false);
  expect(isNewcomer({ ...nothing, loggedInBefore: "true" }, at)).toBe(false);
  expect(["/home", "/complete-profile", "/cart"].map(beginsHere)).toEqual([true, true, false]);
});

test("who signed up on the way to another screen has the tour when they open Home", () => {
  const flags = { newUser: null, loggedInBefore: "true", completed: null, waits: true };
  for (const read of [isActive, isNewcomer])
    expect(["/product/1", "/studentmarketplace", "/home"].map((path) => read(flags, path))).toEqual([
      false,
      false,
      true,
    ]);
});

test("every page has its tour, and a page that has none, or shows nothing of it, the general one", () => {
  const tours = ["/home", "/studentmarketplace", "/search", "/search/anything", "/myshop", "/cart", "/myshopping"].map(
    (path) => tourOf(scene(path)),
  );
  expect(tours).toEqual(["home", "marketplace", "marketplace", "marketplace", "shop", "other", "other"]);
  expect(tourOf(ORDERS)).toBe("orders");
  expect(tourOf(FORM)).toBe("product");
  for (const path of ["/home", "/studentmarketplace", "/myshop"])
    expect(tourOf(scene(path, { targets: ["account"] }))).toBe("other");
});

describe("the tour", () => {
  test("leads from home to the marketplace, to the shop, to its orders, and ends", () => {
    const home = play(NOT_BEGUN, settled(HOME));
    expect(home.open).toEqual({ tour: "home", step: 0, shown: [0, 1, 2, 3] });
    const afterHome = play(home, ...all("home"));
    expect(afterHome).toMatchObject({ open: null, action: { do: "go", to: "/studentmarketplace" } });

    const marketplace = play(
      afterHome,
      { type: "arrived", path: "/studentmarketplace" },
      settled(MARKETPLACE),
      ...all("marketplace"),
    );
    expect(marketplace).toMatchObject({ open: null, action: { do: "go", to: "/myshop" } });

    const shop = play(marketplace, { type: "arrived", path: "/myshop" }, settled(SHOP), ...all("shop"));
    expect(shop).toMatchObject({
      active: true,
      shopDone: true,
      ordersPending: true,
      open: null,
      action: { do: "press", target: "shop-orders-tab" },
    });

    const orders = play(shop, watched(SHOP), watched(ORDERS));
    expect(orders.open).toEqual({ tour: "orders", step: 0, shown: [0, 1, 2, 3, 4, 5, 6] });
    const done = play(orders, ...all("orders"));
    expect(saved(done)).toEqual({ active: false, progress: {}, shopDone: false, ordersPending: false });
    expect(play(done, settled(HOME), watched(ORDERS)).open).toBeNull();
  });

  test("ends a buyer, who has sold nothing, at the marketplace, and a seller at their orders", () => {
    const empty = scene("/myshop", { targets: ["shop-orders-tab", "shop-orders"], ordersSelected: true });
    const waiting: Tutorial = { ...NOT_BEGUN, shopDone: true, ordersPending: true };
    const bought = play(waiting, watched(empty), { type: "next", scene: empty });
    expect(bought).toMatchObject({ active: false, action: { do: "go", to: "/studentmarketplace" } });
    expect(play(bought, { type: "arrived", path: "/studentmarketplace" }, settled(MARKETPLACE)).open).toBeNull();
    expect(play(waiting, watched(ORDERS), ...all("orders"))).toMatchObject({ active: false, action: null });
  });

  test("goes back as far as the first step", () => {
    const second = play(NOT_BEGUN, settled(HOME), next);
    expect(second.open?.step).toBe(1);
    expect(play(second, back, back, back).open?.step).toBe(0);
  });

  test("continues after a reload, and stays away once it is done", () => {
    const third = play(NOT_BEGUN, settled(HOME), next, next);
    const reloaded: Tutorial = { ...NOT_BEGUN, progress: readProgress(JSON.stringify(third.progress)) };
    expect(play(reloaded, settled(HOME)).open).toEqual({ tour: "home", step: 2, shown: [0, 1, 2, 3] });
    expect(
      play(reloaded, settled(HOME), next, next, { type: "arrived", path: "/home" }, settled(HOME)).open,
    ).toBeNull();
  });

  test("leaves out steps whose targets the page does not show", () => {
    const bare = scene("/studentmarketplace", { without: ["categories", "shop-link"] });
    const forward: TutorialEvent = { type: "next", scene: bare };
    const first = play(NOT_BEGUN, settled(bare));
    expect(first.open).toEqual({ tour: "marketplace", step: 0, shown: [0, 2, 3] });
    const second = play(first, forward);
    expect(second.open?.step).toBe(2);
    expect(play(second, { type: "back", scene: bare }).open?.step).toBe(0);
    expect(play(second, forward, forward)).toMatchObject({ open: null, action: { do: "go", to: "/myshop" } });
    // Saved at a step that no longer exists.
    expect(play({ ...NOT_BEGUN, progress: { marketplace: 1 } }, settled(bare)).open?.step).toBe(2);
    expect(play({ ...NOT_BEGUN, progress: { marketplace: 4 } }, settled(bare)).open?.step).toBe(3);
  });

  test("explains nothing about orders to a shop that has none", () => {
    const empty = scene("/myshop", {
      targets: ["shop-orders", "shop-orders-tab", "shop-dashboard"],
      ordersSelected: true,
    });
    const open = play({ ...NOT_BEGUN, shopDone: true, ordersPending: true }, settled(empty));
    expect(open.open).toEqual({ tour: "orders", step: 0, shown: [0] });
    expect(play(open, { type: "next", scene: empty })).toMatchObject({ active: false, open: null });
  });

  test("of the general tour leads nowhere and comes once", () => {
    const done = play(NOT_BEGUN, settled(scene("/cart")), ...all("other"));
    expect(done).toMatchObject({ active: true, open: null, action: null });
    expect(play(done, { type: "arrived", path: "/wishlist" }, settled(scene("/wishlist"))).open).toBeNull();
  });
});

describe("in the shop", () => {
  test("the form's tour comes in between, and then the shop's goes on", () => {
    const form = play(NOT_BEGUN, settled(SHOP), next, next, watched(FORM));
    expect(form.open).toMatchObject({ tour: "product", step: 0 });
    const sent = play(form, ...all("product"));
    expect(sent).toMatchObject({ open: null, action: null });
    expect(play(sent, watched(FORM)).open).toBeNull();
    expect(play(sent, watched(SHOP)).open).toMatchObject({ tour: "shop", step: 2 });
  });

  test("a form that is left in the middle gives way to the shop's tour, and is explained on when it comes back", () => {
    const left = play(NOT_BEGUN, settled(SHOP), next, watched(FORM), next, next, watched(SHOP));
    expect(left.open).toMatchObject({ tour: "shop", step: 1 });
    expect(play(left, watched(FORM)).open).toMatchObject({ tour: "product", step: 2 });
  });

  test("the form has its tour on a page of its own, too", () => {
    expect(tourOf({ ...FORM, path: "/add-product" })).toBe("product");
    expect(tourOf({ ...FORM, path: "/product/1/edit" })).toBe("other");
  });

  test("opening the orders by hand brings their tour", () => {
    expect(play(NOT_BEGUN, settled(SHOP), next, watched(ORDERS)).open).toMatchObject({ tour: "orders", step: 0 });
  });

  test("a tab that is still on its way brings no general tour", () => {
    expect(
      play(
        { ...NOT_BEGUN, shopDone: true },
        watched(scene("/myshop", { targets: ["navigation"], ordersSelected: true })),
      ).open,
    ).toBeNull();
  });

  test("a handover to the orders that a reload cut off is made up for, and leaving the shop calls it off", () => {
    const waiting: Tutorial = { ...NOT_BEGUN, shopDone: true, ordersPending: true };
    expect(play(waiting, settled(SHOP)).action).toEqual({ do: "press", target: "shop-orders-tab" });
    expect(play(waiting, { type: "arrived", path: "/myshop" }).ordersPending).toBe(true);
    const left = play(waiting, { type: "arrived", path: "/cart" });
    expect(left.ordersPending).toBe(false);
    expect(play(left, { type: "arrived", path: "/myshop" }, settled(SHOP))).toMatchObject({ open: null, action: null });
  });
});

test.each([
  ["home", HOME],
  ["marketplace", MARKETPLACE],
  ["other", scene("/cart")],
  ["shop", SHOP],
  ["product", FORM],
  ["orders", ORDERS],
] as const)("Skip Tutorial and Close on %s end the whole tutorial", (tour, at) => {
  const open = play({ ...NOT_BEGUN, shopDone: tour === "orders", ordersPending: tour === "orders" }, settled(at), next);
  expect(open.open?.tour).toBe(tour);
  const ended = play(open, end);
  expect(saved(ended)).toEqual({ active: false, progress: {}, shopDone: false, ordersPending: false });
  for (const visited of [HOME, MARKETPLACE, SHOP, FORM, ORDERS, scene("/cart")]) {
    const later = play(ended, { type: "arrived", path: visited.path }, settled(visited), watched(visited));
    expect(later).toMatchObject({ active: false, open: null, action: null });
  }
});

describe("the debug panel", () => {
  test("starts this page's tour from its first step, also for who has finished", () => {
    const finished: Tutorial = { ...NOT_BEGUN, active: false };
    expect(play(finished, { type: "start", scene: MARKETPLACE })).toMatchObject({
      active: true,
      open: { tour: "marketplace", step: 0 },
    });
  });

  test("starts the orders' tour from anywhere", () => {
    const fromHome = play({ ...NOT_BEGUN, active: false }, { type: "start-orders", scene: HOME });
    expect(fromHome.action).toEqual({ do: "go", to: "/myshop" });
    expect(play(fromHome, { type: "arrived", path: "/myshop" }, settled(SHOP)).action).toEqual({
      do: "press",
      target: "shop-orders-tab",
    });
    const there = play(NOT_BEGUN, settled(SHOP), { type: "start-orders", scene: SHOP });
    expect(there).toMatchObject({ open: null, action: { do: "press", target: "shop-orders-tab" } });
    expect(play(there, watched(ORDERS)).open?.tour).toBe("orders");
    expect(play(NOT_BEGUN, { type: "start-orders", scene: ORDERS }, watched(ORDERS)).open?.tour).toBe("orders");
  });

  test("resets everything", () => {
    expect(play(NOT_BEGUN, settled(SHOP), ...all("shop"), { type: "reset" })).toEqual({ ...NOT_BEGUN, action: null });
  });
});

describe("whatever happens", () => {
  const places = fc.constantFrom(
    HOME,
    MARKETPLACE,
    SHOP,
    ORDERS,
    FORM,
    scene("/cart"),
    scene("/search"),
    scene("/home", { targets: [] }),
  );
  const event: fc.Arbitrary<TutorialEvent> = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.constantFrom<TutorialEvent>(next, back, end, { type: "reset" }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constantFrom("settled", "watched", "next", "back", "start", "start-orders"),
        scene: places,
      }) as fc.Arbitrary<TutorialEvent>,
    },
    { weight: 1, arbitrary: places.map(({ path }): TutorialEvent => ({ type: "arrived", path })) },
  );

  test("the tutorial is in a valid state", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        let tutorial = NOT_BEGUN;
        for (const happening of events) {
          tutorial = advance(tutorial, happening).tutorial;
          const { active, open, progress } = tutorial;
          if (!active)
            expect(saved(tutorial)).toEqual({ active: false, progress: {}, shopDone: false, ordersPending: false });
          if (open) {
            expect(active).toBe(true);
            expect(TOURS[open.tour][open.step]).toBeDefined();
            expect(progress[open.tour]).toBe(open.step);
            expect(open.shown).toContain(open.step);
          }
          expect(readProgress(JSON.stringify(progress))).toEqual(progress);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("pressing Next often enough ends every tour", () => {
    const way = fc.array(fc.constantFrom<TutorialEvent>(next, back), { maxLength: 10 });
    fc.assert(
      fc.property(places, way, places, (at, steps, then) => {
        const open = play(NOT_BEGUN, settled(at), ...steps);
        const last: TutorialEvent = { type: "next", scene: then };
        expect(play(open, ...Array.from({ length: 16 }, () => last)).open).toBeNull();
      }),
    );
  });
});

test("progress that cannot be read counts as none", () => {
  for (const text of [null, "", "{", "7", "null", "[]", '"home"']) expect(readProgress(text)).toEqual({});
  expect(
    readProgress('{"home":2,"shop":6,"orders":-1,"product":1.5,"nowhere":1,"marketplace":5,"toString":1}'),
  ).toEqual({ home: 2, marketplace: 5 });
});
