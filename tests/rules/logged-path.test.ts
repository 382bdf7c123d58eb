import { expect, test } from "vitest";
import { loggedPath } from "#app/request/logged-path.ts";

test.each([
  ["/appeals/0123abcd", "/appeals"],
  // It opens the same screen.
  ["/Appeals/0123abcd", "/appeals"],
  ["/appeals/0123abcd.data", "/appeals"],
  ["/handover/0123-abcd.signature", "/handover"],
  ["/unsubscribe/orders.someone.signature", "/unsubscribe"],
  ["/hooks/pay/s/secret/0123abcd", "/hooks/pay/s"],
  ["/api/mpesa/status/ws_CO_1_254722000001", "/api/mpesa/status"],
  ["/orders/12", "/orders/12"],
])("the log names %s as %s", (path, logged) => {
  expect(loggedPath(path)).toBe(logged);
});
