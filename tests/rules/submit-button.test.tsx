import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { renderToString } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { Button } from "#app/ui/button.tsx";
import { pressOf, SubmitButton } from "#app/ui/forms/submit-button.tsx";

const page = vi.hoisted(() => ({ isScripted: false }));

vi.mock("#app/ui/browser/use-scripted.ts", () => ({ useScripted: () => page.isScripted }));
vi.mock("react-router", () => ({ useNavigation: () => ({ state: "submitting", formMethod: "POST" }) }));

test("a button that starts while a form is being sent first renders what the server did", () => {
  const button = renderToString(<SubmitButton busyLabel="Sending...">Send</SubmitButton>);
  expect(button).toContain("Send</");
  expect(button).not.toContain("Sending");
  expect(button).not.toContain("disabled");
});

test("a button whose form is being sent takes no second press, and says so", () => {
  page.isScripted = true;
  const html = renderToString(<SubmitButton busyLabel="Sending...">Send</SubmitButton>);
  page.isScripted = false;
  expect(html).toContain('aria-disabled="true"');
  const presses = { busy: 0, idle: 0, stopped: 0 };
  const press = { preventDefault: () => (presses.stopped += 1) } as never;
  const buttons = { busy: true, idle: false } as const;
  for (const [state, busy] of Object.entries(buttons)) {
    const button = Button({ type: "submit", busy, onClick: () => (presses[state as "busy"] += 1), children: "Send" });
    button.props.onClick(press);
  }
  expect(presses).toEqual({ busy: 0, idle: 1, stopped: 1 });
});

test("of a fetcher's buttons the pressed one is busy, and the others can't be pressed", () => {
  const sent = new FormData();
  sent.set("intent", "accepted");
  const sending = { state: "submitting", formData: sent } as const;
  expect(pressOf(sending, "accepted")).toEqual({ busy: true, disabled: false });
  expect(pressOf(sending, "declined")).toEqual({ busy: false, disabled: true });
  expect(pressOf({ state: "idle", formData: undefined }, "accepted")).toEqual({ busy: false, disabled: false });
});

test("no button loses the focus because its form is being sent", () => {
  const root = resolve(import.meta.dirname, "../..");
  const files = globSync("app/**/*.tsx", { cwd: root });
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => isDisabledBySending(readFileSync(join(root, file), "utf8")))).toEqual([]);
});

test.each([
  [`const saving = useFetcher<Answer>();`, "saving.state !== 'idle'"],
  [`const { state: at, Form } = useFetcher();`, "!typed || at !== 'idle'"],
  [`const isIdle = useNavigation().state === "idle";`, "!isIdle"],
  ["", "useNavigation().formData !== undefined"],
])("a button that is disabled while its form is being sent is found: %s %s", (held, when) => {
  expect(isDisabledBySending(`${held}\n<Button disabled={${when}} />`)).toBe(true);
  expect(isDisabledBySending(`${held}\n<Button disabled={isEmpty} aria-disabled={${when}} />`)).toBe(false);
});

/** Whether a file disables something by what its fetchers or the navigation say. */
function isDisabledBySending(source: string): boolean {
  const held = [...source.matchAll(/\bconst (\w+|\{[^}]*\}) = [^;]*?\buse(?:Fetcher|Navigation)\b/g)];
  const names = held.flatMap(([, bound = ""]) => bound.replaceAll(/\w+:/g, "").match(/\w+/g) ?? []);
  const saying = new RegExp(`(?<!-)\\bdisabled=\\{[^}]*\\b(?:${["useNavigation", ...names].join("|")})\\b`);
  return saying.test(source);
}
