import { expect, test } from "vitest";
import { createListeners, createStore } from "#app/platform/store.ts";

test("a store tells its listeners each new value, and nothing when the value stays the same", () => {
  const store = createStore(1);
  const heard: number[] = [];
  store.subscribe((value) => heard.push(value));
  store.set(2);
  store.set(2);
  store.set(3);
  expect(heard).toEqual([2, 3]);
  expect(store.get()).toBe(3);
});

test("a listener finds the new value in the store", () => {
  const store = createStore("old");
  const found: string[] = [];
  store.subscribe(() => found.push(store.get()));
  store.set("new");
  expect(found).toEqual(["new"]);
});

test("a listener that has been taken off hears no more, also while others are being told", () => {
  const { add, tell } = createListeners<string>();
  const heard: string[] = [];
  add((word) => {
    heard.push(`first ${word}`);
    takeOff();
  });
  const takeOff = add((word) => heard.push(`second ${word}`));
  tell("one");
  tell("two");
  expect(heard).toEqual(["first one", "first two"]);
});
