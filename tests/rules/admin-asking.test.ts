/**
 * In our team's pages, too, a press that ends something for good is never the first: its form opens first, and says
 * what it does.
 */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Forms of one press, by their intent: why that press ends nothing for good. Those with an `opener` take two. */
const ONE_PRESS: Record<string, string> = {
  give: "somebody gets a role by an email that is typed, and it can be taken away",
  "add-campus": "its name is typed",
  "add-term": "it is typed, and can be removed",
  "remove-term": "it can be added again",
  "set-word": "it is typed, and can be taken back",
  "unset-word": "it can be set again",
  "add-type": "its name is typed",
  "forget-missed": "it is counted again when it is searched again",
  add: "its domain is typed, and can be removed",
  "turn-off": "it can be turned on again",
  "turn-on": "it can be turned off again",
  "hide-point": "it can be shown again",
  "show-point": "it can be hidden again",
  send: "an email that was given up is sent after all",
  "send-all": "emails that were given up are sent after all",
  approve: "it can be rejected later",
  "restore-user": "they can be suspended again",
  "restore-listing": "it can be taken down again",
  retry: "what is owed is sent to whom it is owed",
  record: "the receipt is typed, and counts once M-Pesa confirms it",
  "accept-line": "the payment counts once M-Pesa confirms it",
  "confirm-fee": "it is the second press, after the one of the owner who suggested it, and begins days later",
  "decline-fee": "it can be suggested again",
  "take-back-fee": "it asks another owner, who confirms it",
  "confirm-take-back": "it is the second press, after the one of the owner who suggested it",
  "keep-fee": "that it is taken back can be suggested again",
  "set-cost": "it is typed, and can be changed",
  close: "what its reporter reads by email is typed first",
  confirm: "it is the second press, after the one of the admin who proposed it",
  decline: "it can be proposed again",
};

const INTENT = /\bintent=(?:"([\w-]+)"|\{([^}]*)\})/g;

/** The elements of a component's source that have an `intent`, with the text of their opening tags. */
function formsIn(source: string): { intents: string[]; tag: string }[] {
  return [...source.matchAll(INTENT)].map((match) => {
    const at = source.lastIndexOf("<", match.index);
    let depth = 0;
    let end = at;
    while (end < source.length && !(source[end] === ">" && depth === 0)) {
      depth += source[end] === "{" ? 1 : source[end] === "}" ? -1 : 0;
      end += 1;
    }
    const [, name, expression = ""] = match;
    return { intents: name ? [name] : namesIn(expression), tag: source.slice(at, end) };
  });
}

/** The names in an expression: "hide-point" and "show-point", or `suspend-${what}` for each of two things. */
function namesIn(expression: string): string[] {
  const [, verb] = /`(\w+)-\$/.exec(expression) ?? [];
  if (verb) return [`${verb}-user`, `${verb}-listing`];
  return [...expression.matchAll(/"([\w-]+)"/g)].map(([, name]) => name ?? "");
}

const FORMS = globSync(["app/admin/**/*.tsx", "app/moderation/**/*.tsx"]).flatMap((path) =>
  formsIn(readFileSync(path, "utf8")).map((form) => ({ path, ...form })),
);

test("what our team can do by one press ends nothing for good, and says why", () => {
  const onePress = FORMS.filter(({ tag }) => !tag.includes("opener=")).flatMap(({ intents }) => intents);
  expect(FORMS.length).toBeGreaterThan(30);
  expect([...new Set(onePress)].toSorted()).toEqual(Object.keys(ONE_PRESS).toSorted());
});

test("a dangerous button stands in a form that opens first", () => {
  const dangerous = FORMS.filter(({ tag }) => /\bdanger\b|^<ReasonForm/.test(tag));
  expect(dangerous.length).toBeGreaterThan(6);
  expect(dangerous.filter(({ tag }) => !tag.includes("opener=")).map(({ intents }) => intents)).toEqual([]);
});
