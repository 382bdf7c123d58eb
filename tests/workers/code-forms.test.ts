/**
 * Every field for a code takes it as people type or paste it: in any digits, in any case, with spaces and dashes. The
 * fields are found by reading the forms, and each is sent with each form of a code, as its page has it.
 */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { codeAt, periodAt } from "#app/accounts/two-step/totp.server.ts";
import { addApp, findStartedApp, startApp } from "#app/accounts/two-step/two-step.server.ts";
import { ACCESS_CODE_ALPHABET } from "#app/accounts/login/access-code-rules.ts";
import { wholesalerCodes } from "#app/accounts/tables.server.ts";
import { handoverPath, makeHandoverLink } from "#app/deals/code/handover-link.server.ts";
import { findDeal } from "#app/deals/find-deal.server.ts";
import { meetings } from "#app/orders/tables.server.ts";
import { handoverCode } from "#app/deals/code/handover-code.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import { makeAccount, ORIGIN, readRow, sessionCookie } from "#tests/support/accounts.ts";
import { db, makeDeal, quietServices, readAttempts, servicesAt, uniquePhone } from "#tests/support/fixtures.ts";
import { acceptedMeeting } from "#tests/support/meetings.ts";
import { payDeal } from "#tests/support/paid-deal.ts";
import { pdf, wholesalerForm } from "#tests/support/sign-up.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";

vi.setConfig({ testTimeout: 60_000 });

/** A form that waits for a code. */
interface Waiting {
  /** The right one, as we show or send it. */
  code: string;
  /** The page with the field. */
  page(): Promise<Response>;
  /** Sends the form. Returns whether the code was taken. */
  send(typed: string): Promise<boolean>;
}

const cookieIn = (setCookie: string) => setCookie.split(";")[0] ?? "";

function random(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[Math.floor(Math.random() * alphabet.length)]).join("");
}

async function sold(): Promise<Waiting> {
  const { itemId, sellerId } = await payDeal();
  const path = `/seller/orders/${itemId}`;
  const form = { intent: "code", itemId };
  return {
    code: await handoverCode(env.HANDOVER_CODE_KEY, itemId),
    page: () => visit(path, { as: sellerId }),
    send: async (code) => (await visit(path, { as: sellerId, form: { ...form, code } })).status < 400,
  };
}

/** By the link for somebody whom the seller asked. */
async function soldByLink(): Promise<Waiting> {
  const deal = await acceptedMeeting();
  await db.update(meetings).set({ startsAt: Date.now() }).where(eq(meetings.orderItemId, deal.itemId));
  await makeHandoverLink(servicesAt(), deal);
  const link = (await findDeal(servicesAt(), deal.itemId))?.handoverLink;
  const path = handoverPath(env.PASSWORD_PEPPER, deal.itemId, link ?? { id: "none" });
  return {
    code: await handoverCode(env.HANDOVER_CODE_KEY, deal.itemId),
    page: () => visit(path),
    send: async (code) => (await visit(path, { form: { code } })).status < 400,
  };
}

async function withApp() {
  const account = await makeAccount();
  await startApp(servicesAt(), account.id, "session");
  const secret = (await findStartedApp(servicesAt(), account.id, "session"))?.secret ?? new Uint8Array();
  const added = await addApp(servicesAt(), account.id, codeAt(secret, periodAt(Date.now()) - 1));
  if (!added.ok) throw new Error("no app");
  const { session_epoch: epoch } = await readRow("credentials", account.id);
  const code = (kind: "app" | "recovery") =>
    kind === "app" ? codeAt(secret, periodAt(Date.now())) : (added.codes?.[0] ?? "");
  return { ...account, epoch: Number(epoch), code };
}

async function secondStep(kind: "app" | "recovery", path: "/auth/two-step" | "/auth/confirm"): Promise<Waiting> {
  const { id: userId, email, epoch, code } = await withApp();
  const first = { userId, email, epoch, profileComplete: true, at: Date.now() };
  const Cookie =
    path === "/auth/confirm" ? await sessionCookie(userId, epoch) : cookieIn(await servicesAt().firstStep.write(first));
  return {
    code: code(kind),
    page: () => visit(path, { headers: { Cookie } }),
    send: async (typed) =>
      (await visit(path, { headers: { Cookie }, form: { "confirm-sent": "yes", "confirm-code": typed } })).status < 400,
  };
}

async function setUp(): Promise<Waiting> {
  const { id } = await makeAccount();
  const path = "/settings/two-step";
  const Cookie = await sessionCookie(id);
  await visit(path, { headers: { Cookie }, form: { intent: "start-app" } });
  const session = await servicesAt().sessions.read(new Request(ORIGIN, { headers: { Cookie } }));
  const started = await findStartedApp(servicesAt(), id, session?.identity.id ?? "none");
  if (!started) throw new Error("no set-up");
  return {
    code: codeAt(started.secret, periodAt(Date.now())),
    page: () => visit(path, { headers: { Cookie } }),
    send: async (code) =>
      (await visit(path, { headers: { Cookie }, form: { intent: "add-app", code } })).status === 200,
  };
}

async function joining(): Promise<Waiting> {
  const code = random(ACCESS_CODE_ALPHABET, 8);
  await db.insert(wholesalerCodes).values({ id: crypto.randomUUID(), code, createdAt: Date.now() });
  const path = "/auth/signup?type=wholesaler";
  return {
    code,
    page: () => visit(path),
    async send(wholesalerCode) {
      const form = new FormData();
      for (const [name, value] of Object.entries({ ...wholesalerForm(), wholesalerCode })) form.set(name, value);
      form.set("document", pdf());
      return (await visit(path, { form })).status < 400;
    },
  };
}

/** A payment about which M-Pesa contradicts itself. Our team enters its receipt. */
async function held(): Promise<Waiting> {
  const { orderId, buyerId } = await makeDeal();
  await requestOrderPayment(quietServices(), { orderId, userId: buyerId, phone: uniquePhone("00") });
  const [attempt] = await readAttempts(orderId);
  const id = attempt?.id ?? "";
  await applyAttemptEvent(servicesAt(), id, { event: "mismatched", detail: "another amount" });
  const { id: admin } = await makeAdmin();
  const path = "/admin/money?show=attempts";
  return {
    code: `SGL${random("ABCDEFGHJKMNPQRSTUVWXYZ23456789", 7)}`,
    page: () => visit(`${path}&q=${orderId}`, { as: admin }),
    send: async (receipt) => {
      const form = { intent: "accept", kind: "attempt", id, receipt };
      return (await visit(path, { as: admin, form })).status < 400;
    },
  };
}

/** Our team looks for a payment by its receipt. */
async function searching(path: string): Promise<Waiting> {
  const { orderId } = await payDeal();
  const [attempt] = await readAttempts(orderId);
  const { id: admin } = await makeAdmin();
  const page = (q: string) => visit(`${path}${encodeURIComponent(q)}`, { as: admin });
  return {
    code: attempt?.receipt ?? "",
    page: () => page(""),
    async send(typed) {
      const found = await page(typed);
      // The only one that is found is opened.
      return (found.headers.get("Location") ?? (await found.text())).includes(orderId.slice(0, 8));
    },
  };
}

/** By the file of the form, and the name of the field: where it is sent, with which code. */
const FIELDS: Record<string, Record<string, () => Promise<Waiting>>> = {
  "screens/sold-item/code-entry.tsx code": { "the handover code": sold },
  "deals/components/handover-view.tsx code": { "the handover code, by a link": soldByLink },
  "accounts/two-step/components/second-step-forms.tsx confirm-code": {
    "a code of the app, at a login": () => secondStep("app", "/auth/two-step"),
    "a recovery code, at a login": () => secondStep("recovery", "/auth/two-step"),
    "a code of the app, asked once more": () => secondStep("app", "/auth/confirm"),
    "a recovery code, asked once more": () => secondStep("recovery", "/auth/confirm"),
  },
  "accounts/two-step/components/two-step-view.tsx code": { "the first code of an app": setUp },
  "accounts/components/sign-up-form.tsx wholesalerCode": { "an access code": joining },
  "admin/money/money-rows.tsx receipt": { "a receipt": held },
  "admin/money/money-view.tsx q": { "a search for a receipt": () => searching("/admin/money?show=attempts&q=") },
  "admin/money/explain-view.tsx q": { "an explanation of a receipt": () => searching("/admin/money/explain?q=") },
};

// ------------------------------------------------------------- the fields

const sources = import.meta.glob<string>("../../app/**/*.tsx", { query: "?raw", import: "default" });

const TAGS = /<([A-Z]\w*|input)\b(?:\{(?:[^{}]|\{[^{}]*\})*\}|[^{}<>])*?\/?>/g;
const IS_TYPED = /^(input|\w+(Field|Line|Search|Input|Area)|Line)$/;
const ASKS_FOR_CODE = /\b(code|receipt|PIN)\b/i;

/** The fields of a form's source that are typed, and whose name or label says that they take a code. */
function codeFieldsIn(source: string): string[] {
  let around = "";
  return [...source.matchAll(TAGS)].flatMap(([tag, element = ""]) => {
    const label = /\blabel=("[^"]*"|\{[^}]*\})/.exec(tag)?.[1] ?? "";
    if (element === "Field") around = label;
    if (!IS_TYPED.test(element) || /\btype="(hidden|number|checkbox|radio|file)"/.test(tag)) return [];
    const name = /\bname="([^"]+)"/.exec(tag)?.[1] ?? "q";
    const words = name.replaceAll(/[A-Z]/g, (capital) => ` ${capital}`).replaceAll("-", " ");
    const isCode = tag.includes("one-time-code") || [words, label || around].some((text) => ASKS_FOR_CODE.test(text));
    return isCode ? [name] : [];
  });
}

test("every field for a code is tried here", async () => {
  const found = await Promise.all(
    Object.entries(sources).map(async ([file, read]) => {
      const fields = codeFieldsIn(await read());
      return fields.map((name) => `${file.replace("../../app/", "")} ${name}`);
    }),
  );
  expect(found.flat().toSorted()).toEqual(Object.keys(FIELDS).toSorted());
});

// ------------------------------------------------------------- the forms of a code

const withDigits = (zero: string) => (code: string) =>
  code.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)));
const inGroups = (mark: string) => (code: string) => `${code.slice(0, 3)}${mark}${code.slice(3)}`;
const isPlain = /^[!-~]$/;

const FORMS: Record<string, (code: string) => string> = {
  "as it is": (code) => code,
  "in small letters, with a long dash": (code) => inGroups("\u2013")(code.toLowerCase()),
  "in capitals, with spaces and dashes between all": (code) => ` ${[...code.toUpperCase()].join(" - ")} `,
  "in Arabic digits, with a minus and no-break spaces": (code) => withDigits("٠")(inGroups("\u00a0\u2212\u00a0")(code)),
  "in Persian digits, with marks that nobody sees": (code) =>
    `\u200e${withDigits("۰")(inGroups("\u200b")(code))}\ufeff\n`,
  "in full width": (code) =>
    [...code]
      .map((one) => (isPlain.test(one) ? String.fromCodePoint((one.codePointAt(0) ?? 0) + 0xfee0) : one))
      .join(""),
};

/** The field as the browser gets it. */
function fieldIn(html: string, name: string): string {
  const field = [...html.matchAll(/<(?:input|textarea)\b[^>]*>/g)].find(([tag]) => tag.includes(` name="${name}"`));
  if (!field) throw new Error(`no field ${name}`);
  return field[0];
}

const cases = Object.entries(FIELDS).flatMap(([field, tries]) =>
  Object.entries(tries).map(([what, prepare]) => ({ name: field.split(" ")[1] ?? "", what, prepare })),
);

describe.each(cases)("$what", ({ name, prepare }) => {
  test("has a field in which each form of it can be typed", async () => {
    const { code, page } = await prepare();
    const field = fieldIn(await (await page()).text(), name);
    const longest = Math.max(...Object.values(FORMS).map((form) => form(code).length));
    expect(Number(/maxlength="(\d+)"/i.exec(field)?.[1] ?? Infinity)).toBeGreaterThanOrEqual(longest);
    expect(field).not.toMatch(/\bpattern=|\btype="(number|tel)"/i);
    if (/[a-z]/i.test(code)) expect(field).not.toMatch(/\binputmode="(numeric|decimal|tel)"/i);
  });

  test.each(Object.entries(FORMS))("is taken %s", async (_form, write) => {
    const { code, send } = await prepare();
    expect(await send(write(code))).toBe(true);
  });

  test("is refused where a character is wrong", async () => {
    const { code, send } = await prepare();
    const last = code.at(-1) ?? "";
    expect(await send(`${code.slice(0, -1)}${last === "7" ? "8" : "7"}7`)).toBe(false);
  });
});
