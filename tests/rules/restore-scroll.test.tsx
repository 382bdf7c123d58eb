/** Our script for the scroll position does what React Router's does, at the version that is installed. */
import { runInNewContext } from "node:vm";
import { renderToString } from "react-dom/server";
import { createRoutesStub, ScrollRestoration } from "react-router";
import { expect, test } from "vitest";
import { restoreScroll } from "#app/document/restore-scroll.ts";

const Page = createRoutesStub([{ path: "/", Component: () => <ScrollRestoration /> }]);
const original = /<script>(.*)<\/script>/s.exec(renderToString(<Page />))?.[1] ?? "";

/** What a script does in a page with this state in its history and these positions in its storage. */
function run(script: string, state: unknown, stored: string | null): unknown[] {
  const calls: unknown[] = [];
  const note =
    (name: string) =>
    (...args: unknown[]) =>
      void calls.push([name, ...args]);
  const history = {
    state,
    replaceState(next: unknown) {
      history.state = next;
      note("replaceState")(next);
    },
  };
  const page = {
    history,
    scrollTo: note("scrollTo"),
    sessionStorage: {
      getItem: (name: string) => (note("getItem")(name), stored),
      removeItem: note("removeItem"),
    },
    Math: { random: () => 0.5 },
    console: { error: () => undefined },
  };
  runInNewContext(script, { ...page, window: page });
  return calls;
}

test.each([
  ["a first page", null, null],
  ["a page that was left at its middle", { key: "a" }, '{"a":420}'],
  ["a page that was left at its top", { key: "a" }, '{"a":0}'],
  ["a page that somebody else has named nothing", { idx: 1 }, '{"a":420}'],
  ["a page that nobody has left", { key: "b" }, '{"a":420}'],
  ["a broken list", { key: "a" }, "{"],
])("%s", (_, state, stored) => {
  expect(original).toContain("react-router-scroll-positions");
  const calls = run(restoreScroll, state, stored);
  expect(calls).toEqual(run(original, state, stored));
  expect(calls).not.toEqual([]);
});
