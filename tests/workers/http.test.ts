import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { eventually } from "#tests/support/eventually.ts";
import { readOrder, makeDeal, makeUser, runSandbox, servicesAt, uniquePhone } from "#tests/support/fixtures.ts";
import { MESSAGE_TEXTS } from "#app/messaging/message-rules.ts";
import { sessionCookie } from "#tests/support/accounts.ts";
import { visit } from "#tests/support/visit.ts";

const ORIGIN = "http://localhost:8787";

async function cookieOf(userId: string): Promise<string> {
  const cookie = await servicesAt().sessions.start(new Request(ORIGIN), { userId, epoch: 1 });
  return cookie.split(";")[0] ?? "";
}

async function call(
  path: string,
  input: { as?: string; method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Response> {
  return env.APP.fetch(`${ORIGIN}${path}`, {
    method: input.method ?? (input.body === undefined ? "GET" : "POST"),
    body:
      input.body === undefined ? undefined : typeof input.body === "string" ? input.body : JSON.stringify(input.body),
    headers: { Origin: ORIGIN, ...(input.as ? { Cookie: await cookieOf(input.as) } : {}), ...input.headers },
  });
}

test("the payment API asks the phone, and answers as the spec says", async () => {
  const deal = await makeDeal({ price: 950 });
  const asked = await call("/api/mpesa/stkpush", {
    as: deal.buyerId,
    body: {
      phoneNumber: Number(uniquePhone("77")),
      amount: 950,
      orderId: deal.orderId,
      accountReference: `Order #${deal.orderId.slice(0, 8)}`,
    },
  });
  expect(asked.status).toBe(200);
  const answer = await asked.json<{ success: boolean; data: { CheckoutRequestID: string } }>();
  expect(answer).toMatchObject({ success: true, data: { CheckoutRequestID: expect.stringMatching(/^ws_CO_/) } });

  const path = `/api/mpesa/status/${answer.data.CheckoutRequestID}`;
  expect(await (await call(path, { as: deal.buyerId })).json()).toMatchObject({
    data: { paymentStatus: "processing", receipt: null },
  });
  await runSandbox();
  await eventually(async () => expect((await readOrder(deal.orderId)).paymentStatus).toBe("completed"));
  expect(await (await call(path, { as: deal.buyerId })).json()).toMatchObject({
    data: { paymentStatus: "completed", receipt: expect.stringMatching(/^[A-Z0-9]{10}$/) },
  });
  expect((await call(path, { as: deal.sellerId })).status).toBe(404);
});

test.each<[string, object, number, string]>([
  ["no phone", { phoneNumber: "" }, 400, "Please enter a phone number"],
  [
    "a landline",
    { phoneNumber: "0202345678" },
    400,
    "Invalid phone number format. Use format: 07XXXXXXXX or 254XXXXXXXXX",
  ],
  ["another amount", { amount: 1 }, 409, "The amount of this order is KES 1,900."],
  ["half a shilling", { amount: 0.5 }, 400, "Invalid amount. Must be a positive number."],
  ["an unknown order", { orderId: "nope" }, 404, "Order not found. Please return to your cart and try again."],
])("a payment request with %s is refused", async (_case, change, status, error) => {
  const deal = await makeDeal();
  const answer = await call("/api/mpesa/stkpush", {
    as: deal.buyerId,
    body: { phoneNumber: "0712345677", amount: deal.amount, orderId: deal.orderId, ...change },
  });
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ success: false, error });
  expect((await readOrder(deal.orderId)).paymentStatus).toBe("pending");
});

test("a form that names no page of ours to return to leads home, where one that scripts sent gets the answer itself", async () => {
  const user = await makeUser();
  const sent = (more: Record<string, string>) =>
    visit("/?index", { as: user, form: { intent: "remove-from-cart", productId: crypto.randomUUID(), ...more } });
  for (const from of [`/search?q=${"x".repeat(600)}`, "//elsewhere.test", ""]) {
    const answer = await sent({ from });
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/home"]);
  }
  expect((await sent({ from: "/cart" })).headers.get("Location")).toBe("/cart");
  expect((await sent({})).headers.get("Location")).toBeNull();
});

test("calls for the status need an id, and unknown endpoints say so", async () => {
  const user = await makeUser();
  expect(await (await call("/api/mpesa/status", { as: user })).json()).toMatchObject({
    error: "Checkout request ID is required",
  });
  expect((await call("/api/mpesa/status/ws_CO_unknown", { as: user })).status).toBe(404);
  expect((await call("/api/nothing")).status).toBe(404);
  expect((await call("/hooks/pay/x/abc", { body: {} })).status).toBe(404);
  expect((await call("/hooks/pay/s/abc", { body: {} })).status).toBe(404);
  // Whatever may stand in an address that we give to Safaricom is taken.
  expect((await call(`/hooks/pay/s/${crypto.randomUUID()}`, { body: {} })).status).toBe(200);
  expect((await call("/hooks/pay/s/abc")).status).toBe(405);
});

test("a session ends everywhere with its epoch, and a cookie that was tampered with is nobody", async () => {
  const user = await makeUser();
  const cookie = await cookieOf(user);
  expect((await call("/api/mpesa/status/x", { headers: { Cookie: cookie } })).status).toBe(404);
  expect((await call("/api/mpesa/status/x", { headers: { Cookie: `${cookie}x` } })).status).toBe(401);
  await env.DB.prepare("UPDATE credentials SET session_epoch = session_epoch + 1 WHERE id = ?").bind(user).run();
  expect((await call("/api/mpesa/status/x", { headers: { Cookie: cookie } })).status).toBe(401);
});

test("every answer carries the security headers and a request id", async () => {
  const { headers } = await call("/api/nothing");
  expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Cache-Control")).toBe("private, no-store");
  expect(headers.get("X-Request-Id")).toBeTruthy();
});

test("pictures are served for ever, and sent again only to whoever does not have them", async () => {
  const key = `img/${"a".repeat(32)}/320.webp`;
  await env.MEDIA.put(key, "0123456789", { httpMetadata: { contentType: "image/webp" } });
  const whole = await call(`/files/${key}`);
  const tag = whole.headers.get("ETag");
  expect(await textOf(whole)).toBe("0123456789");
  expect(whole.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  expect(whole.headers.get("Content-Type")).toBe("image/webp");
  const head = await call(`/files/${key}`, { method: "HEAD" });
  expect([head.status, await textOf(head), head.headers.get("Content-Type")]).toEqual([200, "", "image/webp"]);
  for (const [ignored, value] of [
    ["If-None-Match", "garbage"],
    ["Range", "bytes=2-4"],
  ] as const) {
    const answer = await call(`/files/${key}`, { headers: { [ignored]: value } });
    expect([answer.status, await textOf(answer)]).toEqual([200, "0123456789"]);
  }
  for (const tags of [`${tag}`, `"other", W/${tag}`, "*"]) {
    const had = await call(`/files/${key}`, { headers: { "If-None-Match": tags } });
    expect([had.status, had.headers.get("ETag"), had.headers.get("Cache-Control")]).toEqual([
      304,
      tag,
      "public, max-age=31536000, immutable",
    ]);
  }
  for (const headers of [undefined, { "If-None-Match": "*" }])
    expect((await call(`/files/img/${"b".repeat(32)}/320.webp`, { headers })).status).toBe(404);
  for (const path of ["/files/img/../secret", "/files/documents/x.pdf", `/files/${key}.exe`, "/files/"])
    expect((await call(path)).status).toBe(404);
});

async function textOf(response: Response): Promise<string> {
  return new TextDecoder().decode(await response.arrayBuffer());
}

test("payments are asked for as often as account and address allow, at every door, and another address goes on", async () => {
  const deal = await makeDeal();
  const used = (beginning: string) => ({
    limit: async ({ key }: { key: string }) => ({ success: !key.startsWith(beginning) }),
  });
  const doors: ({ path: string } & Parameters<typeof visit>[1])[] = [
    {
      path: `/checkout/${deal.orderId}`,
      form: { intent: "pay", phone: uniquePhone("00"), option: "pickup", pickupConfirmed: "on" },
    },
    { path: "/subscription?plan=monthly_premium", form: { phone: uniquePhone("00") } },
    {
      path: "/api/mpesa/stkpush",
      body: JSON.stringify({ phoneNumber: uniquePhone("00"), amount: deal.amount, orderId: deal.orderId }),
    },
  ];
  for (const { path, ...sent } of doors) {
    const ask = (address: string, bindings = {}) =>
      visit(path, {
        ...sent,
        as: deal.buyerId,
        headers: { "CF-Connecting-IP": address },
        bindings: { LIMIT_ADDRESS: used("payment:2001:db8:1:2::/64"), ...bindings },
      });
    const refused = await ask("2001:db8:1:2:3::4");
    expect([refused.status, refused.headers.get("Retry-After")], `at ${path}`).toEqual([429, "60"]);
    expect((await ask("2001:db8:1:3::4", { LIMIT_PAYMENT: used(deal.buyerId) })).status, `at ${path}`).toBe(429);
    expect((await ask("2001:db8:1:3::4")).status, `at ${path}`).not.toBe(429);
  }
});

test("each session may open the live channel as often as its limit allows, and one that has ended holds up no other", async () => {
  const user = await makeUser();
  const counted = new Map<string, number>();
  const limit = async ({ key }: { key: string }) => {
    counted.set(key, (counted.get(key) ?? 0) + 1);
    return { success: (counted.get(key) ?? 0) <= 2 };
  };
  const open = async (cookie: string) => {
    const headers = { Cookie: cookie, Upgrade: "websocket" };
    const { status, webSocket } = await visit("/live", { headers, bindings: { LIMIT_WRITE: { limit } } });
    webSocket?.accept();
    webSocket?.close();
    return status;
  };
  const [ended, alive] = [await sessionCookie(user, 7), await sessionCookie(user)];
  expect([await open(ended), await open(ended), await open(ended)]).toEqual([401, 401, 429]);
  expect([await open(alive), await open(alive), await open(alive)]).toEqual([101, 101, 429]);
});

test("a person may try to send only so many messages, also such as are refused", async () => {
  const [writer, reader] = [await makeUser(), await makeUser()];
  const form = { to: reader, text: "Hello", key: crypto.randomUUID() };
  const send = (bindings = {}) => visit("/api/messages", { as: writer, form, bindings });
  expect((await send()).status).toBe(404);
  const limited = {
    LIMIT_WRITE: { limit: async ({ key }: { key: string }) => ({ success: key !== `message:${writer}` }) },
  };
  const refused = await send(limited);
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "60"]);
  expect(await refused.json()).toMatchObject({ error: MESSAGE_TEXTS.too_many });
  const plain = await visit("/api/messages", { as: writer, form: { ...form, from: "/profile" }, bindings: limited });
  expect(plain.status).toBe(429);
  const page = await plain.text();
  expect(page).toContain("sending too many messages");
  for (const [name, value] of Object.entries({ to: reader, key: form.key, from: "/profile" }))
    expect(page).toContain(`name="${name}" value="${value}"`);
  expect(page).toContain(">Hello</textarea>");
  expect(page).toContain("Send Again");
  // Whom nobody knows can't be written to again, either.
  const nobody = await (await visit("/api/messages", { as: writer, form: { ...form, from: "/profile" } })).text();
  expect(nobody).toContain(">Hello</textarea>");
  expect(nobody).not.toContain("Send Again");
});

test("whoever sends a message after their session has ended, without scripts, logs in and is back at the page", async () => {
  const form = { to: await makeUser(), text: "", photo: "photos/x", key: crypto.randomUUID() };
  const ended = await visit("/api/messages", { form: { ...form, from: "/profile?tab=messages" } });
  expect([ended.status, await leadOf(ended)]).toEqual([303, "/auth?to=%2Fprofile%3Ftab%3Dmessages"]);
  const written = await visit("/api/messages", { form: { ...form, text: "See you", from: "/profile?tab=messages" } });
  expect(written.status).toBe(401);
  const page = await written.text();
  expect(page).toContain('href="/auth?to=%2Fprofile%3Ftab%3Dmessages" target="_blank"');
  const { text: _words, ...others } = form;
  for (const [name, value] of Object.entries({ ...others, from: "/profile?tab=messages" }))
    expect(page).toContain(`name="${name}" value="${value}"`);
  expect(page).toContain(">See you</textarea>");
  const user = await makeUser();
  for (const from of ["https://elsewhere.test", "//elsewhere.test", "", `/search?q=${"x".repeat(600)}`]) {
    const redirected = await visit("/api/messages", { form: { ...form, from } });
    expect([redirected.status, await leadOf(redirected)]).toEqual([303, "/auth?to=%2Fhome"]);
    const refused = await visit("/api/messages", { as: user, form: { ...form, from } });
    expect([refused.status, refused.headers.get("Location")]).toEqual([303, "/home"]);
  }
  expect((await visit("/api/messages", { form })).status).toBe(401);
});

test("a POST to a page that takes none is the sender's mistake: it isn't logged as an error of ours", async () => {
  const logged = vi.spyOn(console, "error");
  expect((await visit("/c/fashion", { form: { text: "spam" } })).status).toBe(405);
  expect(logged.mock.calls.flat().filter((line) => String(line).includes("page_failed"))).toEqual([]);
  logged.mockRestore();
});

test("a visitor's way back is the screen's own address, without what the router asks for beside it", async () => {
  const ways = [
    "/studentmarketplace?q=kettle&page=2",
    "/studentmarketplace.data?q=kettle&page=2&_routes=root%2Croutes",
  ];
  const leads = await Promise.all(ways.map(async (path) => leadOf(await visit(path))));
  expect(leads).toEqual([
    "/auth?to=%2Fstudentmarketplace%3Fq%3Dkettle%26page%3D2",
    "/auth?to=%2Fstudentmarketplace%3Fq%3Dkettle%26page%3D2",
  ]);
});

/** The target of a redirect, from the header or from the router's own format. */
async function leadOf(response: Response): Promise<string | null> {
  return response.headers.get("Location") ?? /"(\/auth[^"]*)"/.exec(await response.text())?.[1] ?? null;
}

test.each(["/index.html", "/foo.html", "/old.htm", "/foo"])(
  "%s is a page: it leads home, or to the login",
  async (path) => {
    expect((await visit(path)).headers.get("Location")).toBe("/auth");
    expect((await visit(path, { as: await makeUser() })).headers.get("Location")).toBe("/home");
  },
);

test.each(["/foo.png", "/wp-login.php", "/assets/gone.js"])("%s is a file: it is not found", async (path) => {
  const answer = await visit(path);
  expect([answer.status, await answer.text()]).toEqual([404, "Not found"]);
});
