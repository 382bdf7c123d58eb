import { expect, test } from "vitest";
import { receiveToasts, toast, type ToastMessage } from "#app/ui/toast.ts";

function said(say: () => void): ToastMessage[] {
  const heard: ToastMessage[] = [];
  const stop = receiveToasts((message) => heard.push(message));
  say();
  stop();
  return heard;
}

test("success and information stay for 2 seconds, warnings and errors for 3, unless somebody says otherwise", () => {
  const kinds = ["success", "info", "warning", "error"] as const;
  expect(said(() => kinds.forEach((kind) => toast[kind]("x"))).map(({ kind, duration }) => [kind, duration])).toEqual([
    ["success", 2000],
    ["info", 2000],
    ["warning", 3000],
    ["error", 3000],
  ]);
  expect(said(() => toast.info("x", { duration: 8000 }))).toMatchObject([{ duration: 8000 }]);
});

test("what is said before anybody can show it is shown then, once", () => {
  toast.success("early");
  expect(said(() => toast.success("late")).map(({ text }) => text)).toEqual(["early", "late"]);
  expect(said(() => {})).toEqual([]);
});
