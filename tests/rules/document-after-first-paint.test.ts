import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { afterFirstPaint } from "#app/document/after-first-paint.ts";

/** A page just before its first paint, with what is added to it and the work that waits for a frame or a timer. */
function openPage(script: string) {
  const added: Record<string, unknown>[] = [];
  const frames: (() => void)[] = [];
  const timers: { at: number; run: () => void }[] = [];
  runInNewContext(script, {
    document: {
      currentScript: { nonce: "n1" },
      createElement: (name: string) => ({ name }),
      head: { append: (element: Record<string, unknown>) => added.push(element) },
    },
    requestAnimationFrame: (run: () => void) => frames.push(run),
    setTimeout: (run: (...args: unknown[]) => void, at = 0, ...args: unknown[]) =>
      timers.push({ at, run: () => run(...args) }),
  });
  const pass = (ms: number) => {
    for (let due = takeDue(ms); due.length > 0; due = takeDue(ms)) for (const { run } of due) run();
  };
  const takeDue = (ms: number) => {
    const due = timers.filter(({ at }) => at <= ms);
    for (const timer of due) timers.splice(timers.indexOf(timer), 1);
    return due;
  };
  return { added, pass, paint: () => frames.splice(0).forEach((run) => run()) };
}

const module = 'import "/a.js";\n// It\'s a \\ </script>';
const script = afterFirstPaint(["/a.js", "/b.js"], module);

const everything = [
  { name: "link", rel: "modulepreload", href: "/a.js", fetchPriority: "low", nonce: "n1" },
  { name: "link", rel: "modulepreload", href: "/b.js", fetchPriority: "low", nonce: "n1" },
  { name: "script", type: "module", textContent: module, nonce: "n1" },
];

test("a page asks for its scripts once it has been painted, and once only", () => {
  const page = openPage(script);
  page.pass(0);
  expect(page.added).toEqual([]);
  page.paint();
  page.pass(0);
  expect(page.added).toEqual(everything);
  page.pass(60_000);
  expect(page.added).toEqual(everything);
});

test("a page that is never painted asks all the same, within a second", () => {
  const page = openPage(script);
  page.pass(1_000);
  expect(page.added).toEqual(everything);
});

test("no text of a module ends the script that carries it", () => {
  expect(script).not.toContain("</script>");
});
