/** What a screen does when the server's answer to its form doesn't come, and when it has come. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Public pages have no scripts, so the browser sends their forms. */
const SCREENS = globSync("app/routes/**/*.tsx", { exclude: ["app/routes/public/**"] })
  .map((path) => ({ path, source: readFileSync(path, "utf8") }))
  .filter(({ source }) => source.includes("export default function"));

const CLIENT_ACTION = /^export (?:async )?(?:function clientAction\(|const clientAction\b|\{[^}]*\bclientAction\b)/m;

/** The name of an action that a route shares with another. */
function sharedAction(source: string): string | undefined {
  return /^export const action = (\w+);/m.exec(source)?.[1];
}

test("a screen with a form stays, with what was typed, where no answer comes", () => {
  const withForms = SCREENS.filter(({ source }) =>
    /^export (?:async )?(?:function action\(|const action\b)/m.test(source),
  );
  expect(withForms.length).toBeGreaterThan(40);
  // Scripts send the forms of some screens to a route without a screen (app/ui/forms/send-path.ts).
  const sentElsewhere = globSync("app/routes/**/send-*.ts")
    .map((path) => readFileSync(path, "utf8"))
    .flatMap((source) => (CLIENT_ACTION.test(source) ? (sharedAction(source) ?? []) : []));
  const lost = withForms.filter(
    ({ source }) => !CLIENT_ACTION.test(source) && !sentElsewhere.includes(sharedAction(source) ?? ""),
  );
  expect(lost.map(({ path }) => path)).toEqual([]);
});

test("a key that a page makes for its form stays when the page loads its data again", () => {
  const made = SCREENS.filter(({ source }) => source.includes("formKey: crypto.randomUUID()"));
  const views = globSync("app/**/*.tsx", { exclude: ["app/routes/**"] }).map((path) => readFileSync(path, "utf8"));
  const takers = views.filter((source) => source.includes("formKey: string"));
  expect(takers).toHaveLength(made.length);
  expect(takers.filter((source) => !source.includes("<FormKey "))).toEqual([]);
});

test("a screen keeps what its form was answered, whatever loads the screen's data again", () => {
  const readers = SCREENS.filter(({ source }) => source.includes("actionData"));
  expect(readers.length).toBeGreaterThan(40);
  const forgetful = readers.filter(
    ({ source }) => source.replace("useFormAnswer(actionData)", "").match(/\bactionData\b/g)?.length !== 1,
  );
  expect(forgetful.map(({ path }) => path)).toEqual([]);
  const past = globSync("app/**/*.{ts,tsx}").filter((path) => readFileSync(path, "utf8").includes("useActionData"));
  // It only looks whether an answer came.
  expect(past).toEqual(["app/ui/forms/use-form-draft.ts"]);
});
