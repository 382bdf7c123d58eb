/** What people choose about notifications: for each group and way, and when they want no push. Pure. */
import type { QuietHours } from "./delivery-rules.ts";
import { type Group, type Kind, KINDS, mayDecline, type Way } from "./kinds.ts";

export const WAYS = ["push", "email"] as const satisfies readonly Way[];

/** The groups that people may turn off. Of the others everything is about money or the account. */
export type ChoiceGroup = Exclude<Group, "money" | "account">;

/** One choice: a group by a way. Also the name of its field. */
export type Choice = `${ChoiceGroup}.${Way}`;
export type Choices = Partial<Record<Choice, boolean>>;

/** In the order of the screen. `about` stands after "emails about". */
export const CHOICE_GROUPS: Record<ChoiceGroup, { title: string; lead: string; about: string }> = {
  orders: {
    title: "Orders and sales",
    lead: "The next step of what you buy and sell: messages to agree, meetings, problems.",
    about: "your orders and sales",
  },
  messages: { title: "Messages", lead: "Somebody wrote to you, and you haven't read it.", about: "messages" },
  offers: { title: "Offers", lead: "An offer for your listing, or an answer to yours.", about: "offers" },
  reviews: { title: "Reviews", lead: "Somebody reviewed you, or both reviews are out.", about: "reviews" },
  saved_searches: { title: "Saved searches", lead: "Somebody listed what you look for.", about: "saved searches" },
  wished: {
    title: "Things you want",
    lead: "A listing on your wishlist or waiting list is cheaper, or back.",
    about: "things on your wishlist and waiting lists",
  },
  followed_shops: {
    title: "Shops you follow",
    lead: "A shop you follow has something new.",
    about: "shops you follow",
  },
  listings: {
    title: "Your listings and shop",
    lead: "We ask if you still have a listing, our team checked one, somebody likes one, or your plan ends.",
    about: "your listings and shop",
  },
  digest: {
    title: "Weekly summary",
    lead: "What's new on your campus, once a week.",
    about: "what's new on your campus",
  },
};

const GROUPS = Object.keys(CHOICE_GROUPS) as ChoiceGroup[];

/** What the screen offers: each group with the ways that something of it leaves by. */
export const OFFERED: readonly { group: ChoiceGroup; ways: readonly Way[] }[] = GROUPS.map((group) => ({
  group,
  ways: WAYS.filter((way) => (Object.keys(KINDS) as Kind[]).some((kind) => isChosen(kind, group) && KINDS[kind][way])),
})).filter(({ ways }) => ways.length > 0);

export const OFFERED_CHOICES: readonly Choice[] = OFFERED.flatMap(({ group, ways }) =>
  ways.map((way) => `${group}.${way}` as const),
);

function isChosen(kind: Kind, group: ChoiceGroup): boolean {
  return mayDecline(kind) && KINDS[kind].group === group;
}

/** The group of a kind that may be turned off; null for one that can't. */
export function choiceGroupOf(kind: Kind): ChoiceGroup | null {
  const { group } = KINDS[kind];
  return mayDecline(kind) && group !== "money" && group !== "account" ? group : null;
}

export function isChoiceGroup(text: string): text is ChoiceGroup {
  return Object.hasOwn(CHOICE_GROUPS, text);
}

/** Everything is on until somebody turns it off, except what leaves only for those who ask for it. */
export function isOn(choices: Choices, choice: Choice): boolean {
  return choices[choice] ?? !ASKED_FOR.has(choice);
}

const ASKED_FOR: ReadonlySet<string> = new Set(
  Object.values(KINDS).flatMap((rules) =>
    WAYS.filter((way) => rules[way] === "if asked").map((way) => `${rules.group}.${way}`),
  ),
);

/** Whether somebody with these choices wants to be told of a kind by a way. */
export function isWanted(kind: Kind, way: Way, choices: Choices): boolean {
  const group = choiceGroupOf(kind);
  return group === null || isOn(choices, `${group}.${way}`);
}

/** Nights, until somebody chooses otherwise. */
export const QUIET_AT_FIRST: QuietHours = { from: 22 * 60, until: 7 * 60 };

/** "22:00", for a field. `minutes` since midnight. */
export function writeClock(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

/** Minutes since midnight of "22:00" or "22:00:00", as browsers send times; null for any other text. */
export function readClock(text: string): number | null {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?$/.exec(text.trim()) ?? [];
  return hour === undefined ? null : Number(hour) * 60 + Number(minute);
}

/** "22:00 07:00", for a field; empty where push comes at any time. */
export function writeQuiet(quiet: QuietHours | null): string {
  return quiet ? `${writeClock(quiet.from)} ${writeClock(quiet.until)}` : "";
}

/** The form of the screen: a box for each choice, which a browser sends only when it is ticked. */
export interface SettingsForm {
  ticked: readonly string[];
  /** The choices that were ticked when it was opened. */
  opened: readonly string[];
  isQuiet: boolean;
  from: string;
  until: string;
  /** The quiet hours that it was opened with (`writeQuiet`); null for a form that doesn't say. */
  openedQuiet: string | null;
}

export type ReadSettings =
  /** `quiet`: undefined where the form doesn't change them. */
  | { ok: true; changes: Choices; quiet: QuietHours | null | undefined }
  | { ok: false; errors: { from?: string; until?: string } };

export const SETTINGS_ERRORS = {
  time: "Enter a time, such as 22:00",
  same: "Choose two different times",
} as const;

/**
 * Only what somebody changed on their screen counts: what was turned off meanwhile, with the link in an email or on
 * another device, stays off, and quiet hours that were chosen there stay.
 */
export function readSettingsForm(form: SettingsForm): ReadSettings {
  const changed = OFFERED_CHOICES.filter((choice) => form.ticked.includes(choice) !== form.opened.includes(choice));
  const changes: Choices = Object.fromEntries(changed.map((choice) => [choice, form.ticked.includes(choice)]));
  const changedQuiet = (quiet: QuietHours | null) => (writeQuiet(quiet) === form.openedQuiet ? undefined : quiet);
  if (!form.isQuiet) return { ok: true, changes, quiet: changedQuiet(null) };
  const [from, until] = [readClock(form.from), readClock(form.until)];
  if (from === null || until === null)
    return {
      ok: false,
      errors: {
        ...(from === null && { from: SETTINGS_ERRORS.time }),
        ...(until === null && { until: SETTINGS_ERRORS.time }),
      },
    };
  if (from === until) return { ok: false, errors: { until: SETTINGS_ERRORS.same } };
  return { ok: true, changes, quiet: changedQuiet({ from, until }) };
}
