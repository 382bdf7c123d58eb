import { readFileSync } from "node:fs";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { expect, test } from "vitest";
import routes from "#app/routes.ts";
import { SCREENS } from "#app/screen-rules.ts";

const app = new URL("../../app/", import.meta.url);

/** Whether a route, or an action that it shares with others, reads a form with files. */
function readsFiles(file: string): boolean {
  const source = readFileSync(new URL(file, app), "utf8");
  const actions = [...source.matchAll(/"#app\/(screens\/actions\/[^"]+)"/g)].map(([, path]) => path ?? "");
  return [source, ...actions.map((path) => readFileSync(new URL(path, app), "utf8"))].some((text) =>
    /\bread(File|Photo)?Form\(/.test(text),
  );
}

function screensWithFiles(entries: readonly RouteConfigEntry[], prefix = ""): string[] {
  return entries.flatMap(({ path, file, children }) => {
    const whole = path === undefined ? prefix : `${prefix}/${path}`;
    return [...(readsFiles(file) ? [whole] : []), ...screensWithFiles(children ?? [], whole)];
  });
}

test("a form with files of any size reaches the screens that take files, and no others", async () => {
  const taking = Object.keys(SCREENS).filter((path) => SCREENS[path]?.takesFiles);
  expect(taking.toSorted()).toEqual(screensWithFiles(await routes).toSorted());
});
