/**
 * Bad input: every action and every endpoint gets values that nobody should send, from a generator that replays from
 * its seed. Nothing may fail (no 500, stack trace or SQL), and nothing may be written that the sender doesn't own.
 */
import { env } from "cloudflare:workers";
import { beforeAll, expect, test, vi } from "vitest";
import { PREVIEW_SIZE } from "#app/catalogue/photos/photo-rules.ts";
import { payoutItems, payouts } from "#app/payments/tables.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { publicProductPath } from "#app/public-links.ts";
import { newCallbackToken } from "#app/payments/payment-services.ts";
import { booksOff, db, makeDeal, readAttempts, readPayout, servicesAt, uniquePhone } from "#tests/support/fixtures.ts";
import { extendedWebp, jpeg, losslessWebp, png, webp } from "#tests/support/pictures.ts";
import { visit } from "#tests/support/visit.ts";
import { type People, type Things, makePeople, makeThings } from "#tests/support/world.ts";

vi.setConfig({ testTimeout: 480_000 });

/** The minimum number of inputs. */
const INPUTS_AT_LEAST = 1_000;
/** How many requests run at the same time. */
const AT_ONCE = 8;

/** mulberry32: numbers from a seed, the same every time. */
function chanceFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const MEGABYTE = "x".repeat(1_000_000);
const NONE = "00000000-0000-4000-8000-000000000000";

/** Values for any field. */
const VALUES = [
  "",
  " ",
  "\u0000",
  "\u0001\u0007\u001b[31m",
  "\u202Egnp.exe",
  "\uD800",
  "💥".repeat(300),
  "null",
  "undefined",
  "NaN",
  "Infinity",
  "-Infinity",
  "true",
  "[]",
  "{}",
  "[object Object]",
  "0",
  "-0",
  "-1",
  "1",
  "0.5",
  "1e9",
  "1e309",
  "99",
  "100",
  "2147483648",
  "9007199254740993",
  "0x10",
  "١٢٣",
  "1,900",
  "KES 1",
  "'; DROP TABLE orders; --",
  "' OR '1'='1",
  '" OR ""="',
  "%",
  "_",
  "*",
  "\\",
  "${7*7}",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "javascript:alert(1)",
  "//evil.example",
  "/\\evil.example",
  "https://evil.example",
  "../../etc/passwd",
  "..%2f..%2f",
  "\r\nSet-Cookie: session=evil",
  "a".repeat(10_001),
  "7".repeat(5_000),
  NONE,
  "__proto__",
  "constructor",
  "2026-13-45",
  "254712345678",
  "0712345678",
  "+254 (0)712 345 678",
] as const;

interface Target {
  path: string;
  /** The sender has the permission, so that the input gets as far as possible. */
  as: keyof People;
  /** Valid fields of a form. They are broken one after the other. */
  fields: Record<string, string>;
  /** Sent as JSON rather than as a form. */
  json?: true;
}

let people: People;
let things: Things;
let foreign: Things;
beforeAll(async () => {
  [people, things] = await made();
  foreign = (await made())[1];
});

async function made(): Promise<[People, Things]> {
  const some = await makePeople();
  return [some, await makeThings(some)];
}

function targets(): Target[] {
  const key = crypto.randomUUID();
  return [
    { path: "/auth", as: "visitor", fields: { email: "nobody@campus.test", password: "campus-demo" } },
    {
      path: "/auth/signup",
      as: "visitor",
      fields: {
        accountType: "student",
        fullName: "",
        email: "x",
        password: "kilimani-7",
        phone: "0712345678",
        campusLocation: "Main Campus",
        wholesalerCode: "NONE",
        businessName: "B",
      },
    },
    { path: "/auth/forgot", as: "visitor", fields: { email: "nobody@campus.test" } },
    { path: "/auth/check-email", as: "visitor", fields: { email: "nobody@campus.test" } },
    {
      path: "/auth/reset",
      as: "visitor",
      fields: { token: "stale", password: "kilimani-7", confirmPassword: "kilimani-7" },
    },
    { path: "/auth/callback", as: "visitor", fields: { token: "stale", password: "kilimani-7", intent: "disown" } },
    {
      path: "/complete-profile",
      as: "incomplete",
      fields: { fullName: "", phone: "0712345678", campusLocation: "Main Campus", isSeller: "on" },
    },
    {
      path: "/?index",
      as: "otherBuyer",
      fields: { intent: "add-to-cart", productId: things.productId, quantity: "1", from: "/cart" },
    },
    {
      path: "/?index",
      as: "otherBuyer",
      fields: { intent: "set-quantity", productId: things.productId, quantity: "2" },
    },
    {
      path: "/?index",
      as: "otherBuyer",
      fields: { intent: "move-to-cart", productId: things.productId, quantity: "2", price: "1900" },
    },
    {
      path: `/product/${things.productId}`,
      as: "otherBuyer",
      fields: { intent: "buy-now", quantity: "1", orderKey: key, price: "1" },
    },
    { path: "/cart", as: "otherBuyer", fields: { intent: "checkout", orderKey: key, total: "1" } },
    {
      path: `/checkout/${foreign.unpaidOrderId}`,
      as: "otherBuyer",
      fields: {
        intent: "pay",
        phone: "0712345678",
        option: "pickup",
        pickupConfirmed: "on",
        address: "A",
        instructions: "I",
      },
    },
    {
      path: `/orders/${foreign.orderId}`,
      as: "otherBuyer",
      fields: { intent: "report", itemId: foreign.itemId, description: "D" },
    },
    { path: `/orders/${foreign.orderId}`, as: "otherBuyer", fields: { intent: "agree", itemId: foreign.itemId } },
    {
      path: `/orders/${foreign.orderId}`,
      as: "otherBuyer",
      fields: { intent: "message", itemId: foreign.itemId, text: "T", key },
    },
    { path: `/seller/orders/${foreign.itemId}`, as: "otherSeller", fields: { intent: "ship" } },
    { path: `/seller/orders/${foreign.itemId}`, as: "otherSeller", fields: { intent: "deliver" } },
    { path: `/seller/orders/${foreign.itemId}`, as: "otherSeller", fields: { intent: "message", text: "T", key } },
    {
      path: `/reviews/${things.itemId}`,
      as: "buyer",
      fields: { intent: "write", rating: "5", tags: "friendly", text: "T", photos: "img/none" },
    },
    { path: `/reviews/${things.itemId}`, as: "seller", fields: { intent: "reply", text: "T" } },
    { path: "/subscription", as: "otherSeller", fields: { plan: "weekly", phone: "nope" } },
    {
      path: "/settings",
      as: "otherBuyer",
      fields: { intent: "details", fullName: "", phone: "0712345678", campusLocation: "Main Campus" },
    },
    { path: "/settings", as: "otherBuyer", fields: { intent: "password", currentPassword: "a", newPassword: "12345" } },
    { path: "/settings", as: "otherBuyer", fields: { intent: "email", newEmail: "nope", currentPassword: "a" } },
    { path: "/settings", as: "otherBuyer", fields: { intent: "email-shown", emailShown: "yes" } },
    { path: "/settings/email", as: "otherBuyer", fields: { token: "stale" } },
    { path: "/settings/two-step", as: "otherBuyer", fields: { intent: "add-app", code: "000000" } },
    { path: "/settings/two-step", as: "otherBuyer", fields: { intent: "add-passkey", passkey: "{}" } },
    { path: "/settings/two-step", as: "otherBuyer", fields: { intent: "remove", id: "app" } },
    {
      path: "/auth/confirm?to=/settings/two-step",
      as: "otherBuyer",
      fields: { "confirm-sent": "yes", "confirm-password": "a", "confirm-code": "1", "confirm-passkey": "{}" },
    },
    { path: "/auth/undo", as: "visitor", fields: { token: "stale" } },
    { path: "/settings", as: "otherBuyer", fields: { intent: "delete", confirmation: "no", currentPassword: "a" } },
    {
      path: "/settings",
      as: "otherBuyer",
      fields: { intent: "document", document: "not a file" },
    },
    {
      path: "/add-product",
      as: "otherSeller",
      fields: {
        name: "",
        price: "1900",
        description: "D",
        category: "stationery",
        condition: "new",
        images: "[]",
        key,
      },
    },
    {
      path: `/product/${foreign.productId}/edit`,
      as: "otherSeller",
      fields: { name: "N", price: "100", description: "D", category: "stationery", condition: "new", images: "[]" },
    },
    { path: `/product/${foreign.productId}/manage`, as: "otherSeller", fields: { intent: "delete", status: "sold" } },
    {
      path: `/product/${foreign.productId}/manage`,
      as: "otherSeller",
      fields: { intent: "stock", seen: "1", stock: "2" },
    },
    { path: `/product/${foreign.productId}/manage`, as: "otherSeller", fields: { intent: "lower", seen: "1900" } },
    { path: `/product/${NONE}/wait`, as: "otherSeller", fields: { wait: "yes" } },
    { path: "/saved-searches/save", as: "otherBuyer", fields: { search: "/search?q=kettle&max=900" } },
    { path: "/saved-searches", as: "otherBuyer", fields: { intent: "frequency", id: NONE, frequency: "daily" } },
    { path: "/saved-searches", as: "otherBuyer", fields: { intent: "share", id: NONE } },
    { path: "/serials", as: "otherBuyer", fields: { intent: "ask", serial: "490154203237518", text: "", id: NONE } },
    {
      path: "/myshop/settings",
      as: "otherSeller",
      fields: { shopName: "", description: "D", businessHours: "{}", policies: "P", offersDelivery: "on" },
    },
    {
      path: "/myshop/import",
      as: "wholesaler",
      fields: { intent: "import", fileName: "a.csv", text: "SKU,Name", checked: "{}" },
    },
    { path: "/categories", as: "otherSeller", fields: { name: "" } },
    { path: "/conversations/safety", as: "otherSeller", fields: { intent: "block", otherId: NONE } },
    { path: `/report/listing/${NONE}`, as: "otherSeller", fields: { reason: "scam", text: "T" } },
    { path: `/appeals/${NONE}`, as: "visitor", fields: { appeal: "A" } },
    { path: `/handover/${NONE}.${"A".repeat(43)}`, as: "visitor", fields: { code: "123456" } },
    { path: `/unsubscribe/orders.${NONE}.${"A".repeat(43)}`, as: "visitor", fields: { emails: "on" } },
    {
      path: "/settings/notifications",
      as: "otherBuyer",
      fields: {
        intent: "save",
        choice: "orders.email",
        opened: "orders.email",
        quiet: "on",
        from: "22:00",
        until: "late",
      },
    },
    {
      path: `/admin/moderation/${NONE}`,
      as: "admin",
      fields: { intent: "decide-case", decision: "removed", statement: "S", confirmed: "yes" },
    },
    { path: `/seller/${NONE}`, as: "otherSeller", fields: { intent: "follow", follow: "on" } },
    { path: "/admin/codes", as: "otherSeller", fields: { count: "50", formKey: key } },
    { path: "/admin/people", as: "admin", fields: { intent: "suspend-user", id: NONE, reason: "R" } },
    { path: "/admin/categories", as: "admin", fields: { intent: "merge-category", id: NONE, into: NONE } },
    { path: "/admin/types", as: "admin", fields: { intent: "set-word", type: NONE, word: "x", use: "sign" } },
    { path: "/admin/types", as: "admin", fields: { intent: "add-type", name: "N", plural: "Ns", category: NONE } },
    { path: "/search/missed", as: "otherBuyer", fields: { q: "x" } },
    { path: "/admin/prohibited", as: "admin", fields: { intent: "remove-term", id: NONE, kind: "word", term: "x" } },
    { path: "/admin/admins", as: "admin", fields: { intent: "give", email: "nope", role: "owner" } },
    { path: "/admin/universities", as: "admin", fields: { intent: "add", name: "N", domain: "gmail.com" } },
    {
      path: "/admin/universities",
      as: "admin",
      fields: { intent: "add-login", id: "a.ac.ke", issuer: "https://a.invalid", clientId: "c", campus: "" },
    },
    { path: "/admin/universities", as: "admin", fields: { intent: "turn-off", id: "a.ac.ke" } },
    { path: "/admin/operations", as: "admin", fields: { intent: "send", id: NONE } },
    { path: "/become-seller", as: "otherBuyer", fields: { phone: "0712345678", agreed: "on" } },
    { path: "/admin/verifications", as: "admin", fields: { intent: "reject", id: NONE, reason: "R" } },
    {
      path: `/admin/problems/${NONE}`,
      as: "admin",
      fields: { intent: "close", id: NONE, outcome: "O", reason: "R", note: "N" },
    },
    {
      path: "/admin/money",
      as: "admin",
      fields: { intent: "record", kind: "refund", id: NONE, receipt: "UAB1C2D3E4", reason: "R", resolution: "X" },
    },
    { path: "/admin/money", as: "admin", fields: { intent: "retry", kind: "payout", id: NONE, reserved: "yes" } },
    { path: "/admin/money/lists", as: "admin", fields: { intent: "accept-line", id: NONE, attempt: NONE } },
    { path: "/admin/money/lists", as: "admin", fields: { intent: "close-line", id: NONE, resolution: "R" } },
    { path: "/admin/proposals", as: "admin", fields: { intent: "confirm", id: NONE, seenAmount: "60000" } },
    { path: "/admin/proposals", as: "admin", fields: { intent: "decline", id: NONE } },
    {
      path: "/api/mpesa/stkpush",
      as: "otherBuyer",
      json: true,
      fields: {
        phoneNumber: "0712345678",
        amount: "1900",
        orderId: foreign.unpaidOrderId,
        accountReference: "Order #1",
      },
    },
    {
      path: "/api/mpesa/b2c",
      as: "otherSeller",
      json: true,
      fields: {
        phoneNumber: "0712345678",
        amount: "1900",
        orderId: foreign.orderId,
        orderItemId: foreign.itemId,
        sellerId: NONE,
      },
    },
    {
      path: "/api/email/confirmation",
      as: "visitor",
      json: true,
      fields: { email: "nobody@campus.test", username: "U", confirmationToken: "stale" },
    },
    {
      path: "/api/email/password-reset",
      as: "visitor",
      json: true,
      fields: { email: "nobody@campus.test", username: "U", resetToken: "stale" },
    },
    { path: "/api/email/confirmation/resend", as: "visitor", json: true, fields: { email: "nobody@campus.test" } },
    {
      path: "/api/email/welcome",
      as: "otherBuyer",
      json: true,
      fields: { email: "nobody@campus.test", username: "U" },
    },
    {
      path: "/api/messages",
      as: "otherBuyer",
      fields: { to: NONE, about: `item:${foreign.itemId}`, text: "", key, from: "/profile" },
    },
    {
      path: "/api/photos",
      as: "otherSeller",
      fields: { variant: "not a file", tone: "#c0a080", thumbhash: "1QcSHQRnh493V4dIh4eXh1h4kJUI" },
    },
    {
      path: "/api/push/subscriptions",
      as: "otherBuyer",
      json: true,
      fields: { endpoint: "https://push.example/x", keys: "none" },
    },
    {
      path: "/api/push/subscriptions/renewal",
      as: "otherBuyer",
      json: true,
      fields: { endpoint: "https://push.example/x" },
    },
    { path: "/api/messages/read", as: "otherBuyer", fields: { with: NONE } },
    { path: `/hooks/pay/s/${"0".repeat(64)}`, as: "visitor", json: true, fields: { Body: "x", ResultCode: "0" } },
    { path: `/hooks/pay/o/${"0".repeat(64)}`, as: "visitor", json: true, fields: { Result: "x", ResultCode: "0" } },
    {
      path: publicProductPath({ id: things.productId, name: "Casio fx-991ES" }),
      as: "visitor",
      fields: { action: "buy", quantity: "1", price: "1900" },
    },
  ];
}

interface Input {
  name: string;
  send: () => Promise<Response>;
}

/** Every way of breaking a target's input. */
function inputsFor(target: Target, chance: () => number): Input[] {
  const { path, fields } = target;
  const as = people[target.as];
  const post = (name: string, sent: Record<string, unknown>, to = path): Input => ({
    name: `${path} ${name}`,
    send: () =>
      target.json
        ? visit(to, { as, body: JSON.stringify(sent), headers: { "Content-Type": "application/json" } })
        : visit(to, { as, form: asStrings(sent) }),
  });
  // The requests of a page's scripts. They render nothing, which is cheaper.
  const quickPath = target.json || path.includes("?") || path.startsWith("/api/") ? path : `${path}.data`;
  const quick = (name: string, sent: Record<string, unknown>): Input => post(name, sent, quickPath);
  const raw = (name: string, body: BodyInit, type: string): Input => ({
    name: `${path} ${name}`,
    send: () => visit(quickPath, { as, body, headers: { "Content-Type": type } }),
  });
  const names = Object.keys(fields);
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(chance() * values.length)] as Value;
  const long = pick(names);
  return [
    post("as it is, twice over, and more", { ...fields, extra: "field", __proto__: "x", "fields[]": "1" }),
    quick("with nothing", {}),
    quick(`${long} as a megabyte`, { ...fields, [long]: MEGABYTE }),
    ...names.map((name) => quick(`without ${name}`, without(fields, name))),
    // Each field gets some of the values, chosen by the seed.
    ...names.map((name) => {
      const value = pick(VALUES);
      return quick(`${name}=${JSON.stringify(value).slice(0, 40)}`, { ...fields, [name]: value });
    }),
    ...Array.from({ length: 2 }, () =>
      quick("all at once", Object.fromEntries(names.map((name) => [name, pick(VALUES)]))),
    ),
    ...(target.json
      ? [
          ...names.flatMap((name) =>
            [null, 0, -1, 1.5, 1e308, true, [], {}, { $ne: 1 }, [[]]].map((value) =>
              post(`${name}: ${JSON.stringify(value)}`, { ...fields, [name]: value }),
            ),
          ),
          ...["", "{", "null", "[]", '"x"', "1", "<xml/>", '{"a":'.repeat(2_000), "\uFEFF{}"].map((body) =>
            raw(`reads ${body.slice(0, 12)}`, body, "application/json"),
          ),
        ]
      : [
          raw("as JSON", JSON.stringify(fields), "application/json"),
          raw("as text", "intent=pay", "text/plain"),
          raw(
            "as a broken multipart form",
            '--x\r\nContent-Disposition: form-data; name="intent"\r\n\r\nno end',
            "multipart/form-data; boundary=x",
          ),
          raw("as a multipart form without a boundary", "x", "multipart/form-data"),
          raw("as broken escapes", "%=%&%zz=%ff&=&&&intent", "application/x-www-form-urlencoded"),
          raw("as bytes", new Uint8Array([0, 255, 254, 128, 10]), "application/octet-stream"),
          { name: `${path} with files for fields`, send: () => visit(quickPath, { as, form: asFiles(fields) }) },
        ]),
  ];
}

function asStrings(sent: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)]));
}

function without(fields: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name));
}

function asFiles(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const name of Object.keys(fields)) form.set(name, new File(["x"], "x.txt"));
  return form;
}

/** Photos: cut short, with changed bytes, of impossible sizes, too many, and with invalid descriptions. */
function photos(chance: () => number): Input[] {
  const small = { width: 320, height: 240 };
  const pictures = [
    webp(small),
    extendedWebp(small),
    losslessWebp(small),
    jpeg(small, 6),
    png(small, "x"),
    webp({ width: 16_383, height: 1 }),
    extendedWebp({ width: 1, height: 1 }, { animated: true }),
    new Uint8Array(0),
  ];
  const turned = (bytes: Uint8Array<ArrayBuffer>) =>
    bytes.map((byte) => (chance() < 0.05 ? Math.floor(chance() * 256) : byte));
  const cut = (bytes: Uint8Array<ArrayBuffer>) => bytes.slice(0, Math.floor(chance() * bytes.length));
  const send = (
    name: string,
    files: Uint8Array<ArrayBuffer>[],
    described: Record<string, string> = {},
    preview?: Uint8Array<ArrayBuffer>,
  ): Input => ({
    name: `/api/photos ${name}`,
    send: () => {
      const form = new FormData();
      if (preview) form.append("preview", new File([preview], "preview.jpg", { type: "image/jpeg" }));
      for (const file of files) form.append("variant", new File([file], "photo.webp", { type: "image/webp" }));
      for (const [field, value] of Object.entries(described)) form.append(field, value.toWellFormed());
      return visit("/api/photos", { as: people.otherSeller, form });
    },
  });
  return [
    ...pictures.flatMap((picture, n) => [
      send(`picture ${n}`, [picture]),
      ...Array.from({ length: 3 }, (_, turn) => send(`picture ${n} turned ${turn}`, [turned(picture)])),
      ...Array.from({ length: 3 }, (_, turn) => send(`picture ${n} cut ${turn}`, [cut(picture)])),
    ]),
    ...VALUES.map((value, n) =>
      n % 2 === 0
        ? send(`tone ${value.slice(0, 20)}`, [webp(small)], { tone: value, thumbhash: "1QcSHQRnh493V4dIh4eXh1h4kJUI" })
        : send(`thumbhash ${value.slice(0, 20)}`, [webp(small)], { tone: "#c0a080", thumbhash: value }),
    ),
    ...[...pictures, jpeg(PREVIEW_SIZE)].flatMap((picture, n) => [
      send(`preview ${n}`, [webp(small)], {}, picture),
      send(`preview ${n} turned`, [webp(small)], {}, turned(picture)),
      send(`preview ${n} cut`, [webp(small)], {}, cut(picture)),
    ]),
    send("preview of words", [webp(small)], { preview: "preview.jpg" }),
    send(
      "forty at once",
      Array.from({ length: 40 }, () => webp(small)),
    ),
    send("too many bytes", [new Uint8Array(11_000_000)]),
  ];
}

/** Paths with parameters that no link of ours has. */
function visits(): Input[] {
  const paths = [
    "/product/",
    "/category/",
    "/checkout/",
    "/order-confirmation/",
    "/orders/",
    "/seller/orders/",
    "/search?q=",
    "/studentmarketplace?after=",
    "/category/stationery?sort=",
    "/category/stationery?min=",
    "/profile?tab=",
    "/auth?to=",
    "/auth/callback?token=",
    "/auth/reset?token=",
    "/auth/undo?token=",
    "/settings/email?token=",
    "/auth/google/callback?code=",
    "/api/mpesa/status/",
    "/api/messages?with=",
    "/files/",
    "/documents/",
    "/hooks/pay/",
    "/",
  ];
  const inputs = paths.flatMap((path, place) =>
    someFor(place).map((value) => ({
      name: `${path}${JSON.stringify(value).slice(0, 40)}`,
      send: () => visit(path + encode(value), { as: people.otherBuyer }),
    })),
  );
  const desks = [
    "/admin/codes?after=",
    "/admin/money?q=",
    "/admin/people?q=",
    "/admin/money?show=attempts&after=",
    "/admin/money/lists?list=",
    "/admin/money/explain?q=",
    "/admin/money/explain?order=",
    "/admin/problems/",
    "/admin/problems?after=",
    "/admin/moderation/",
    "/admin/moderation?after=",
    "/admin/verifications?show=",
  ];
  return [
    ...inputs,
    ...desks.flatMap((path, place) =>
      someFor(place).map((value) => ({
        name: `${path}${JSON.stringify(value).slice(0, 40)}`,
        send: () => visit(path + encode(value), { as: people.admin }),
      })),
    ),
  ];
}

/** An eighth of the values. Eight paths in a row get all of them. */
function someFor(place: number): readonly string[] {
  return VALUES.filter((_, n) => n % 8 === place % 8);
}

/** Lone surrogates have no place in an address. */
function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed().slice(0, 2_000));
}

/** The data of other people. Any change to it would be the work of the wrong person. */
async function foreignRows(): Promise<string> {
  const { orderId, unpaidOrderId, itemId, productId, documentId, issueId } = foreign;
  const results = await env.DB.batch([
    env.DB.prepare("SELECT * FROM orders WHERE id IN (?, ?)").bind(orderId, unpaidOrderId),
    env.DB.prepare("SELECT * FROM order_items WHERE id = ?").bind(itemId),
    env.DB.prepare("SELECT * FROM products WHERE id IN (?, ?)").bind(productId, things.productId),
    env.DB.prepare("SELECT * FROM verification_documents WHERE id = ?").bind(documentId),
    env.DB.prepare("SELECT * FROM issue_reports WHERE id = ?").bind(issueId),
    env.DB.prepare("SELECT COUNT(*) AS n FROM payment_attempts WHERE order_id IN (?, ?)").bind(orderId, unpaidOrderId),
    env.DB.prepare("SELECT COUNT(*) AS n FROM messages WHERE order_item_id = ?").bind(itemId),
    env.DB.prepare("SELECT COUNT(*) AS n FROM wholesaler_codes"),
    env.DB.prepare("SELECT COUNT(*) AS n FROM payouts"),
    env.DB.prepare("SELECT COUNT(*) AS n FROM audit_log"),
    env.DB.prepare("SELECT COUNT(*) AS n FROM profiles WHERE admin_role IS NOT NULL"),
    env.DB.prepare("SELECT COUNT(*) AS n FROM credentials"),
  ]);
  return JSON.stringify(results.map(({ results: rows }) => rows));
}

const LEAKS =
  /\bat [\w.<>]+ \((?:file|http|\/|[A-Z]:)|D1_ERROR|SQLITE_|drizzle|node_modules|ZodError|TypeError:|ReferenceError:/;

/** Sends one input, and returns what is wrong with the answer. */
async function faultsOf({ name, send }: Input): Promise<string[]> {
  const response = await send();
  const text = await response.text();
  const faults: string[] = [];
  if (response.status >= 500) faults.push(`${response.status} ${name}`);
  const leak = LEAKS.exec(text);
  if (leak) faults.push(`leaks "${leak[0]}": ${name}`);
  // A page's scripts find where they are led in the data.
  const to = response.headers.get("Location") ?? /"redirect","([^"]*)"/.exec(text)?.[1];
  if (to !== undefined && (!to.startsWith("/") || to.startsWith("//"))) faults.push(`leads to ${to}: ${name}`);
  if (/(?:^|;|,)\s*session=evil/.test(response.headers.get("Set-Cookie") ?? "")) faults.push(`sets a cookie: ${name}`);
  return faults;
}

test(`no input breaks anything or writes what is another's`, async ({ task }) => {
  const chance = chanceFrom(20_261_121);
  const inputs = [...targets().flatMap((target) => inputsFor(target, chance)), ...photos(chance), ...visits()];
  expect(inputs.length).toBeGreaterThanOrEqual(INPUTS_AT_LEAST);
  task.meta.counted = `${inputs.length} inputs that nobody should send, to ${targets().length} actions and endpoints, to photos and to paths`;
  const before = await foreignRows();
  const faults: string[] = [];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let input = inputs.shift(); input; input = inputs.shift()) faults.push(...(await faultsOf(input)));
    }),
  );
  expect(faults).toEqual([]);
  expect(await foreignRows()).toEqual(before);
  expect(await booksOff()).toEqual({});
  // The sender is still logged in, so the inputs got as far as they could.
  for (const role of ["otherBuyer", "otherSeller", "admin"] as const)
    expect((await visit("/cart", { as: people[role] })).status).toBe(200);
});

/**
 * A payment that waits for its callback and a payout that waits for its result, with the addresses that M-Pesa calls.
 */
async function makeLive() {
  const deal = await makeDeal();
  const phone = uniquePhone("00");
  await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone });
  const [attempt] = await readAttempts(deal.orderId);
  if (!attempt?.checkoutRequestId) throw new Error("no payment request");
  const delivered = await makeDeal();
  const now = Date.now();
  const payout = {
    id: crypto.randomUUID(),
    orderItemId: delivered.itemId,
    sellerId: delivered.sellerId,
    amount: delivered.amount,
    phone,
    state: "sent",
    conversationId: crypto.randomUUID(),
    callbackToken: newCallbackToken(),
    sendCount: 1,
    nextActionAt: now + 300_000,
    createdAt: now,
    updatedAt: now,
  } as const;
  await db.insert(payouts).values(payout);
  const share = { orderItemId: payout.orderItemId, payoutId: payout.id, amount: payout.amount, createdAt: now };
  await db.insert(payoutItems).values(share);
  return { deal, delivered, attempt, payout };
}
type Live = Awaited<ReturnType<typeof makeLive>>;

/** What a callback may move. */
async function moved({ deal, attempt, payout }: Live): Promise<unknown> {
  const results = await env.DB.batch([
    env.DB.prepare("SELECT state, settled_at, receipt FROM payment_attempts WHERE id = ?").bind(attempt.id),
    env.DB.prepare("SELECT payment_status, order_status, receipt FROM orders WHERE id = ?").bind(deal.orderId),
    env.DB.prepare("SELECT state, send_count, receipt, done_at FROM payouts WHERE id = ?").bind(payout.id),
    env.DB.prepare("SELECT COUNT(*) AS n FROM ledger_entries"),
    env.DB.prepare("SELECT COUNT(*) AS n FROM refunds"),
  ]);
  return results.map(({ results: rows }) => rows);
}

/** The callbacks that would settle both, with some of their fields replaced. */
function pushBody({ attempt, deal }: Live, fields: object = {}) {
  const item = [
    { Name: "Amount", Value: deal.amount },
    { Name: "MpesaReceiptNumber", Value: "TBADINPUT1" },
  ];
  const { checkoutRequestId, merchantRequestId } = attempt;
  const ids = { CheckoutRequestID: checkoutRequestId, MerchantRequestID: merchantRequestId };
  return { Body: { stkCallback: { ...ids, ResultCode: 0, CallbackMetadata: { Item: item }, ...fields } } };
}
function payoutBody({ payout }: Live, fields: object = {}) {
  const ids = { OriginatorConversationID: payout.conversationId, TransactionID: "TBADINPUT2" };
  return { Result: { ...ids, ResultCode: 0, ...fields } };
}

const NO_CODES = [null, "", " ", [], [0], {}, true, false, -1, 0.5, 1e308, "success", "zero", "-0", "00", "0x0"];
const NO_OBJECTS = [null, 0, "x", [], [{}], true];
const NO_JSON = [
  "",
  "{",
  "null",
  "[]",
  '"x"',
  "1",
  "<xml/>",
  "ResultCode=0",
  '{"a":'.repeat(2_000),
  "\u0000",
  MEGABYTE,
];

test("callbacks that say nothing readable settle and move nothing, also with a token of ours", async () => {
  const live = await makeLive();
  const foreignId = { CheckoutRequestID: "ws_CO_1", OriginatorConversationID: NONE, MerchantRequestID: "1" };
  const malformed: string[] = [
    ...NO_JSON,
    ...NO_OBJECTS.flatMap((value) => [{ Body: value }, { Body: { stkCallback: value } }, { Result: value }]),
    ...[
      ...NO_CODES.map((ResultCode) => ({ ResultCode })),
      foreignId,
      { CheckoutRequestID: null, ResultCode: null },
    ].flatMap((fields) => [pushBody(live, fields), payoutBody(live, fields)]),
    payoutBody(live, { TransactionID: {} }),
    ...NO_OBJECTS.map((CallbackMetadata) => pushBody(live, { CallbackMetadata })),
    ...NO_OBJECTS.map((Item) => pushBody(live, { CallbackMetadata: { Item } })),
  ].map((body) => (typeof body === "string" ? body : JSON.stringify(body)));
  const before = await moved(live);
  const statuses = new Set<number>();
  // What settles the one says nothing at the other's address, nor at that of another question.
  const readable = [pushBody(live), payoutBody(live)].map((body) => JSON.stringify(body));
  const sent = ["s", "o", "l", "t", "r"].flatMap((kind) =>
    [live.attempt.callbackToken, live.payout.callbackToken].map((token) => {
      const isOwn = (kind === "s") === (token === live.attempt.callbackToken) && "so".includes(kind);
      return { path: `/hooks/pay/${kind}/${token}`, bodies: isOwn ? malformed : readable };
    }),
  );
  for (const { path, bodies } of sent) {
    const answers = await Promise.all(
      bodies.map((body) => visit(path, { body, headers: { "Content-Type": "application/json" } })),
    );
    for (const { status } of answers) statuses.add(status);
    expect({ path, moved: await moved(live) }).toEqual({ path, moved: before });
  }
  expect([...statuses].toSorted()).toEqual([200, 413]);

  // The same addresses settle both once M-Pesa says something that can be read.
  await visit(`/hooks/pay/s/${live.attempt.callbackToken}`, { body: JSON.stringify(pushBody(live)) });
  await visit(`/hooks/pay/o/${live.payout.callbackToken}`, { body: JSON.stringify(payoutBody(live)) });
  expect((await readAttempts(live.deal.orderId)).map(({ state }) => state)).toEqual(["succeeded"]);
  expect(await readPayout(live.delivered.itemId)).toMatchObject({ state: "done", receipt: "TBADINPUT2" });
});
