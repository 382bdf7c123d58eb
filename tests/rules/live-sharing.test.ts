import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  NEW_TAB,
  type SharingAction,
  type SharingEvent,
  type SharingState,
  stepSharing,
  type TabMessage,
} from "#app/live/sharing-rules.ts";

const waiting = NEW_TAB;
const holding: SharingState = { role: "holding", up: true, everUp: true };
const resting: SharingState = { role: "resting", up: false, everUp: true };
const stopped: SharingState = { role: "stopped", up: false, everUp: true };

/** What an event leads to: the role after it, and the names of the actions. */
function after(state: SharingState, event: SharingEvent): string {
  const [next, actions] = stepSharing(state, event);
  return [next.role, ...actions.map((action) => action.do)].join(" ");
}

describe("a tab", () => {
  const message = (content: TabMessage): SharingEvent => ({ type: "message", message: content });
  test.each<[SharingEvent, Record<SharingState["role"], string>]>([
    [
      { type: "lock-granted" },
      { waiting: "holding stop-awaiting open", holding: "holding", resting: "resting", stopped: "stopped" },
    ],
    [
      { type: "lock-lost" },
      { waiting: "waiting", holding: "waiting close report-down queue", resting: "resting", stopped: "stopped" },
    ],
    [
      { type: "socket-up", late: false },
      { waiting: "waiting", holding: "holding tell-tabs report-up", resting: "resting", stopped: "stopped" },
    ],
    [
      { type: "socket-down" },
      { waiting: "waiting", holding: "holding tell-tabs report-down", resting: "resting", stopped: "stopped" },
    ],
    [
      { type: "no-answer" },
      { waiting: "waiting leave-queue steal", holding: "holding", resting: "resting", stopped: "stopped" },
    ],
    [
      { type: "shown" },
      {
        waiting: "waiting await-answer tell-tabs",
        holding: "holding wake",
        resting: "waiting queue await-answer tell-tabs",
        stopped: "stopped",
      },
    ],
    [
      { type: "hidden" },
      {
        waiting: "resting stop-awaiting leave-queue release",
        holding: "resting stop-awaiting leave-queue close release report-down",
        resting: "resting",
        stopped: "stopped",
      },
    ],
    [{ type: "online" }, { waiting: "waiting", holding: "holding wake", resting: "resting", stopped: "stopped" }],
    [
      { type: "send", text: "t" },
      { waiting: "waiting tell-tabs", holding: "holding send", resting: "resting tell-tabs", stopped: "stopped" },
    ],
    [
      { type: "stop" },
      {
        waiting: "stopped stop-awaiting leave-queue release",
        holding: "stopped stop-awaiting leave-queue close release report-down",
        resting: "stopped stop-awaiting leave-queue release",
        stopped: "stopped",
      },
    ],
    [
      message({ is: "ask" }),
      { waiting: "waiting", holding: "holding tell-tabs", resting: "resting", stopped: "stopped" },
    ],
    [
      message({ is: "here", up: true }),
      {
        waiting: "waiting stop-awaiting report-up",
        holding: "holding stop-awaiting",
        resting: "resting",
        stopped: "stopped",
      },
    ],
    [
      message({ is: "say", text: "t" }),
      { waiting: "waiting", holding: "holding send", resting: "resting", stopped: "stopped" },
    ],
    [
      message({ is: "text", text: "t" }),
      { waiting: "waiting report-text", holding: "holding report-text", resting: "resting", stopped: "stopped" },
    ],
    [
      message({ is: "up", missed: true }),
      { waiting: "waiting report-up", holding: "holding", resting: "resting", stopped: "stopped" },
    ],
    [message({ is: "down" }), { waiting: "waiting", holding: "holding", resting: "resting", stopped: "stopped" }],
    [
      message({ is: "ended" }),
      { waiting: "waiting report-ended", holding: "holding report-ended", resting: "resting", stopped: "stopped" },
    ],
  ])("answers %j by its role", (event, expected) => {
    for (const state of [waiting, holding, resting, stopped]) expect(after(state, event)).toBe(expected[state.role]);
  });

  test("that was just opened misses nothing when it joins; one that was up before may have", () => {
    const here: SharingEvent = { type: "message", message: { is: "here", up: true } };
    expect(stepSharing(waiting, here)[1]).toContainEqual({ do: "report-up", missed: false });
    expect(stepSharing({ ...waiting, everUp: true }, here)[1]).toContainEqual({ do: "report-up", missed: true });
  });

  test("that opens the connection early misses nothing; late, or for the second time, it may have", () => {
    const missed = (state: SharingState, late: boolean) =>
      stepSharing(state, { type: "socket-up", late })[1].find((action) => action.do === "report-up");
    const first: SharingState = { role: "holding", up: false, everUp: false };
    expect(missed(first, false)).toEqual({ do: "report-up", missed: false });
    expect(missed(first, true)).toEqual({ do: "report-up", missed: true });
    expect(missed({ ...first, everUp: true }, false)).toEqual({ do: "report-up", missed: true });
  });
});

/** Some tabs of one browser, with its lock and its channel. A tab that sleeps hears nothing and does nothing. */
class Browser {
  readonly tabs = [0, 1, 2].map(() => ({
    state: NEW_TAB,
    asleep: false,
    open: false,
    connected: false,
    awaiting: false,
    told: false,
  }));
  #holder: number | null = null;
  #queue: number[] = [];

  on(at: number, event: SharingEvent): void {
    const tab = this.tabs[at];
    if (!tab || tab.asleep) return;
    const [next, actions] = stepSharing(tab.state, event);
    tab.state = next;
    for (const action of actions) this.#carryOut(at, action);
  }

  /** Grants the lock to the first in the queue that is awake. */
  grant(): void {
    const next = this.#holder === null ? this.#queue.shift() : undefined;
    if (next === undefined) return;
    this.#holder = next;
    this.on(next, { type: "lock-granted" });
    if (this.tabs[next]?.state.role !== "holding") this.#holder = null;
  }

  #carryOut(at: number, action: SharingAction): void {
    const tab = this.tabs[at];
    if (!tab) return;
    if (action.do === "queue") this.#queue.push(at);
    if (action.do === "leave-queue") this.#queue = this.#queue.filter((other) => other !== at);
    if (action.do === "release" && this.#holder === at) this.#holder = null;
    if (action.do === "steal") {
      const robbed = this.#holder;
      this.#holder = null;
      this.#queue.unshift(at);
      this.grant();
      if (robbed !== null) this.#wakeUp(robbed, { type: "lock-lost" });
    }
    if (action.do === "open") tab.open = true;
    if (action.do === "close") tab.open = tab.connected = false;
    if (action.do === "await-answer") tab.awaiting = true;
    if (action.do === "stop-awaiting") tab.awaiting = false;
    if (action.do === "report-up") tab.told = true;
    if (action.do === "report-down") tab.told = false;
    if (action.do === "tell-tabs")
      for (const other of this.tabs.keys())
        if (other !== at) this.on(other, { type: "message", message: action.message });
  }

  /** What a sleeping tab hears of the lock comes when it wakes up. */
  #wakeUp(at: number, event: SharingEvent): void {
    const tab = this.tabs[at];
    if (tab) tab.asleep = false;
    this.on(at, event);
  }

  /** A tab's own socket opens, or is lost. */
  connect(at: number, connected: boolean): void {
    const tab = this.tabs[at];
    if (!tab?.open || tab.asleep) return;
    tab.connected = connected;
    this.on(at, connected ? { type: "socket-up", late: true } : { type: "socket-down" });
  }

  /** Everybody is looked at, every lock is granted, every time is up, and the network works. */
  settle(): void {
    for (const [at, tab] of this.tabs.entries()) if (!tab.asleep) this.on(at, { type: "shown" });
    for (let round = 0; round < 10; round += 1) {
      this.grant();
      for (const [at, tab] of this.tabs.entries()) {
        if (tab.open && !tab.connected) this.connect(at, true);
        if (tab.awaiting) {
          tab.awaiting = false;
          this.on(at, { type: "no-answer" });
        }
      }
    }
  }
}

test("whatever happens to three tabs, one of them ends up with the connection, and all that are awake know", () => {
  const change = fc.record({
    at: fc.nat({ max: 2 }),
    what: fc.constantFrom("shown", "hidden", "online", "socket-down", "socket-up", "no-answer", "sleep", "grant"),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const browser = new Browser();
      for (const at of browser.tabs.keys()) browser.on(at, { type: "start" });
      for (const { at, what } of changes) {
        const tab = browser.tabs[at];
        if (what === "grant") browser.grant();
        else if (what === "sleep") {
          if (tab) tab.asleep = true;
        } else if (what === "socket-up" || what === "socket-down") browser.connect(at, what === "socket-up");
        else browser.on(at, { type: what as "shown" | "hidden" | "online" | "no-answer" });
        expect(browser.tabs.filter(({ open, asleep }) => open && !asleep).length).toBeLessThanOrEqual(1);
      }
      browser.settle();
      const awake = browser.tabs.filter(({ asleep }) => !asleep);
      expect(awake.filter(({ open }) => open)).toHaveLength(awake.length > 0 ? 1 : 0);
      expect(awake.every(({ told }) => told)).toBe(true);
    }),
  );
});
