/**
 * How the tabs of one user share one connection, as a pure function. The browser gives a lock to one tab at a time:
 * that tab holds the connection and passes on what arrives. live-sharing.ts carries out the actions.
 */

/**
 * - waiting: in the queue for the lock. Another tab holds the connection, or none does yet.
 * - holding: has the lock and the connection.
 * - resting: hidden for long, or about to be frozen by the browser. Has released the lock and closed the connection.
 * - stopped: ended for good.
 */
type Role = "waiting" | "holding" | "resting" | "stopped";

export interface SharingState {
  role: Role;
  /** The connection works, this tab's own or that of the tab that holds it. */
  up: boolean;
  /** It has worked before. */
  everUp: boolean;
}

/** What tabs say to each other. */
export type TabMessage =
  | { is: "text"; text: string }
  | { is: "up"; missed: boolean }
  | { is: "down" }
  | { is: "ended" }
  /** Does somebody hold the connection? */
  | { is: "ask" }
  /** Somebody does. */
  | { is: "here"; up: boolean }
  /** For the server. */
  | { is: "say"; text: string };

export type SharingEvent =
  | { type: "start" }
  /** The lock is this tab's. */
  | { type: "lock-granted" }
  /** Another tab has taken the lock away. */
  | { type: "lock-lost" }
  /** `late`: events may have been missed between the page's making and now. */
  | { type: "socket-up"; late: boolean }
  | { type: "socket-down" }
  | { type: "message"; message: TabMessage }
  /** No tab has answered an "ask" in time: the one that has the lock is frozen. */
  | { type: "no-answer" }
  /** Somebody looks at this tab again. */
  | { type: "shown" }
  /** Hidden for long, or about to be frozen by the browser. */
  | { type: "hidden" }
  | { type: "online" }
  | { type: "send"; text: string }
  | { type: "stop" };

export type SharingAction =
  | { do: "queue" }
  | { do: "leave-queue" }
  /** Takes the lock from whoever has it. */
  | { do: "steal" }
  | { do: "release" }
  | { do: "open" }
  | { do: "close" }
  /** Has the socket try again at once. */
  | { do: "wake" }
  | { do: "send"; text: string }
  | { do: "tell-tabs"; message: TabMessage }
  | { do: "await-answer" }
  | { do: "stop-awaiting" }
  /** For this page. `missed`: events may have been missed. */
  | { do: "report-up"; missed: boolean }
  | { do: "report-down" }
  | { do: "report-text"; text: string }
  | { do: "report-ended" };

export const NEW_TAB: SharingState = { role: "waiting", up: false, everUp: false };

type Step = [SharingState, SharingAction[]];

/** Finds out whether the tab that has the lock is awake. */
const ASK: SharingAction[] = [{ do: "await-answer" }, { do: "tell-tabs", message: { is: "ask" } }];

/** What an event changes, and what is to be done about it, in order. */
export function stepSharing(state: SharingState, event: SharingEvent): Step {
  const { role, everUp } = state;
  if (role === "stopped") return [state, []];
  const holds = role === "holding";
  switch (event.type) {
    case "start":
      return [state, [{ do: "queue" }, ...ASK]];
    case "lock-granted":
      return role === "waiting"
        ? [{ ...state, role: "holding" }, [{ do: "stop-awaiting" }, { do: "open" }]]
        : [state, []];
    case "lock-lost":
      return holds ? goDown({ ...state, role: "waiting" }, [{ do: "close" }], [{ do: "queue" }]) : [state, []];
    case "socket-up": {
      if (!holds) return [state, []];
      const [next, report] = goUp(state, everUp || event.late);
      return [next, [{ do: "tell-tabs", message: { is: "up", missed: true } }, ...report]];
    }
    case "socket-down":
      return holds ? goDown(state, [{ do: "tell-tabs", message: { is: "down" } }]) : [state, []];
    case "message":
      return role === "resting" ? [state, []] : hear(state, event.message);
    case "no-answer":
      return [state, role === "waiting" ? [{ do: "leave-queue" }, { do: "steal" }] : []];
    case "shown":
      if (holds) return [state, [{ do: "wake" }]];
      return [{ ...state, role: "waiting" }, role === "resting" ? [{ do: "queue" }, ...ASK] : ASK];
    case "hidden":
      return role === "resting" ? [state, []] : disconnect(state, "resting");
    case "online":
      return [state, holds ? [{ do: "wake" }] : []];
    case "send":
      return [
        state,
        [holds ? { do: "send", text: event.text } : { do: "tell-tabs", message: { is: "say", text: event.text } }],
      ];
    case "stop":
      return disconnect(state, "stopped");
  }
}

function hear(state: SharingState, message: TabMessage): Step {
  const holds = state.role === "holding";
  switch (message.is) {
    case "ask":
      return [state, holds ? [{ do: "tell-tabs", message: { is: "here", up: state.up } }] : []];
    case "here": {
      // In a tab that was just opened nothing can have been missed: its data came with the page.
      const [next, report] = !holds && message.up && !state.up ? goUp(state, state.everUp) : [state, []];
      return [next, [{ do: "stop-awaiting" }, ...report]];
    }
    case "say":
      return [state, holds ? [{ do: "send", text: message.text }] : []];
    case "text":
      return [state, [{ do: "report-text", text: message.text }]];
    case "up":
      return holds ? [state, []] : goUp(state, message.missed);
    case "down":
      return holds ? [state, []] : goDown(state);
    case "ended":
      return [state, [{ do: "report-ended" }]];
  }
}

function goUp(state: SharingState, missed: boolean): Step {
  return [{ ...state, up: true, everUp: true }, [{ do: "report-up", missed }]];
}

function goDown(state: SharingState, before: SharingAction[] = [], after: SharingAction[] = []): Step {
  const report: SharingAction[] = state.up ? [{ do: "report-down" }] : [];
  return [{ ...state, up: false }, [...before, ...report, ...after]];
}

function disconnect(state: SharingState, role: Role): Step {
  const close: SharingAction[] = state.role === "holding" ? [{ do: "close" }] : [];
  return goDown({ ...state, role }, [{ do: "stop-awaiting" }, { do: "leave-queue" }, ...close, { do: "release" }]);
}
