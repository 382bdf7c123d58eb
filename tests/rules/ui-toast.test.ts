import { expect, test } from "vitest";
import { receiveToasts, toast, type ToastMessage } from "#app/ui/feedback/toast.ts";

function said(say: () => void): ToastMessage[] {
  const heard: ToastMessage[] = [];
  const stop = receiveToasts((message) => heard.push(message));
  say();
  stop();
  return heard;
}

test("a message stays for 3 seconds, unless somebody says otherwise", () => {
  const kinds = ["success", "info", "warning", "error"] as const;
  expect(said(() => kinds.forEach((kind) => toast[kind]("x"))).map(({ duration }) => duration)).toEqual([
    3000, 3000, 3000, 3000,
  ]);
  expect(said(() => toast.info("x", { duration: 8000 }))).toMatchObject([{ duration: 8000 }]);
});

test("what is said before anybody can show it is shown then, once", () => {
  toast.success("early");
  expect(said(() => toast.success("late")).map(({ text }) => text)).toEqual(["early", "late"]);
  expect(said(() => {})).toEqual([]);
});
