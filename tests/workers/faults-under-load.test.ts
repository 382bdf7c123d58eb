/**
 * Every service that the app needs is slow, fails or loses answers for a while, with many users at once. Failed
 * requests get a calm page, repeated ones do their work once, and afterwards nobody has to repair data by hand.
 */
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { variantSizes } from "#app/catalogue/photos/photo-rules.ts";
import { advancePayments } from "#app/payments/advance-payments.server.ts";
import { makeAccount, PASSWORD } from "#tests/support/accounts.ts";
import { eventually } from "#tests/support/eventually.ts";
import { databaseThrough, FAULTS, faultEvery, through } from "#tests/support/faults.ts";
import {
  booksOff,
  makeDeal,
  makeProduct,
  makeUser,
  readAttempts,
  readOrder,
  runSandbox,
  servicesAt,
  settleDeferred,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { webp } from "#tests/support/pictures.ts";
import { mailTo } from "#tests/support/sign-up.ts";
import { visit } from "#tests/support/visit.ts";
import type { Env } from "#workers/env.ts";

vi.setConfig({ testTimeout: 120_000 });

const AT_ONCE = 6;

async function many<Value>(make: (place: number) => Promise<Value>): Promise<Value[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, (_, place) => make(place)));
}

/** An answer that tells what happened, without internals. */
async function expectNoInternals(answer: Response): Promise<void> {
  const text = await answer.text();
  expect(/secret|D1_ERROR|\bat \w+ \(/.exec(text)?.[0]).toBeUndefined();
  // A page, JSON for a script, or the router's own format.
  if (answer.status >= 500)
    expect(/Something went wrong|try again|Unexpected Server Error/.exec(text)?.[0]).toBeTruthy();
}

/**
 * Repeats a request until it succeeds, the first time with these bindings. Returns the last answer and the number of
 * attempts.
 */
async function untilDone(
  ask: (bindings: Partial<Env>) => Promise<Response>,
  bindings: Partial<Env>,
): Promise<{ answer: Response; tries: number }> {
  for (let tries = 1; ; tries += 1) {
    // The fault lasts for a while and then ends.
    const answer = await ask(tries <= 3 ? bindings : {});
    if (answer.status < 400) return { answer, tries };
    await expectNoInternals(answer);
    if (tries === 6) throw new Error(`still ${answer.status} after ${tries} tries`);
  }
}

async function count(query: string, ...values: (string | null)[]): Promise<number> {
  return (
    (
      await env.DB.prepare(query)
        .bind(...values)
        .first<{ n: number }>()
    )?.n ?? 0
  );
}

test.each(FAULTS)(
  "a database that is %s: pages come or say so, and every order that was asked for is there once",
  async (fault) => {
    const productId = await makeProduct(await makeUser());
    const buyers = await many(() => makeUser());
    const DB = databaseThrough(env.DB, faultEvery(3, fault));
    const pages = await Promise.all(
      buyers.flatMap((as) =>
        ["/home", "/studentmarketplace", "/cart"].map((path) => visit(path, { as, bindings: { DB } })),
      ),
    );
    for (const page of pages) await expectNoInternals(page);
    if (fault === "slow") expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200));

    const orders = await Promise.all(
      buyers.map(async (as) => {
        const form = { intent: "buy-now", quantity: "1", orderKey: crypto.randomUUID(), price: "1900" };
        const { answer } = await untilDone((bindings) => visit(`/product/${productId}`, { as, form, bindings }), {
          DB,
        });
        // Pressed once more when all is well: the same order.
        const again = await visit(`/product/${productId}`, { as, form });
        expect(again.headers.get("Location")).toBe(answer.headers.get("Location"));
        return answer.headers.get("Location");
      }),
    );
    expect(new Set(orders).size).toBe(AT_ONCE);
    for (const buyer of buyers) {
      expect(await count("SELECT COUNT(*) AS n FROM orders WHERE user_id = ?", buyer)).toBe(1);
      expect(
        await count(
          "SELECT COUNT(*) AS n FROM order_items i JOIN orders o ON o.id = i.order_id WHERE o.user_id = ?",
          buyer,
        ),
      ).toBe(1);
    }
  },
);

test.each(FAULTS)("sessions that are %s: people get in, stay in and get out", async (fault) => {
  const accounts = await many(() => makeAccount());
  const SESSIONS = through(env.SESSIONS, faultEvery(2, fault));
  await Promise.all(
    accounts.map(async ({ email }, place) => {
      const headers = { "CF-Connecting-IP": `10.9.${FAULTS.indexOf(fault)}.${place}` };
      const { answer } = await untilDone(
        (bindings) => visit("/auth", { form: { email, password: PASSWORD }, bindings, headers }),
        { SESSIONS },
      );
      expect(answer.headers.get("Location")).toBe("/home");
      const cookie =
        answer.headers
          .getSetCookie()
          .find((line) => line.includes("session="))
          ?.split(";")[0] ?? "";
      const open = (path: string, bindings: Partial<Env>) => visit(path, { headers: { Cookie: cookie }, bindings });
      expect((await untilDone((bindings) => open("/cart", bindings), { SESSIONS })).answer.status).toBe(200);
      // The database knows of the logout, so the cookie is invalid even if KV never forgets the session.
      await untilDone((bindings) => visit("/logout", { form: {}, headers: { Cookie: cookie }, bindings }), {
        SESSIONS,
      });
      expect((await open("/cart", {})).headers.get("Location")).toMatch(/^\/auth/);
    }),
  );
});

test.each(FAULTS)(
  "buckets that are %s: a photo or a document is there whole or not at all, and goes in at the next try",
  async (fault) => {
    const sellers = await many(() => makeUser());
    const bindings = {
      MEDIA: through(env.MEDIA, faultEvery(2, fault)),
      DOCUMENTS: through(env.DOCUMENTS, faultEvery(2, fault)),
    };
    await Promise.all(
      sellers.map(async (as, place) => {
        const photo = () => {
          const form = new FormData();
          for (const size of variantSizes({ width: 900, height: 900 }) ?? [])
            form.append("variant", new File([webp(size, `${fault} ${place}`)], "photo.webp"));
          return form;
        };
        const { answer } = await untilDone(
          (faulty) => visit("/api/photos", { as, form: photo(), bindings: faulty }),
          bindings,
        );
        const { data } = await answer.json<{ data: { key: string; widths: number[]; format: string } }>();
        for (const width of data.widths)
          expect((await visit(`/files/${data.key}/${width}.${data.format}`)).status).toBe(200);

        const document = () => {
          const form = new FormData();
          form.append("intent", "document");
          form.append("document", new File(["%PDF-1.7 a card"], "card.pdf", { type: "application/pdf" }));
          return form;
        };
        await untilDone((faulty) => visit("/settings.data", { as, form: document(), bindings: faulty }), bindings);
        const kept = await env.DB.prepare("SELECT id FROM verification_documents WHERE user_id = ?")
          .bind(as)
          .all<{ id: string }>();
        expect(kept.results.length).toBeGreaterThanOrEqual(1);
        for (const { id } of kept.results) expect((await visit(`/documents/${id}`, { as })).status).toBe(200);
      }),
    );
  },
);

/** Breaks email or Safaricom, sometimes. The other one works. */
function without(host: string, fault: (typeof FAULTS)[number], nth: number): Partial<Env> {
  const around = faultEvery(nth, fault);
  const sandbox = env.SANDBOX;
  const fetcher = {
    fetch: (input: RequestInfo, init?: RequestInit) => {
      const request = new Request(input, init);
      return new URL(request.url).hostname === host ? around(() => sandbox.fetch(request)) : sandbox.fetch(request);
    },
  };
  return { SANDBOX: fetcher as typeof sandbox };
}

test.each(FAULTS)("mail that is %s: nothing tells who has an account, and every mail goes out", async (fault) => {
  const accounts = await many(() => makeAccount());
  const bindings = without("mail.sandbox.internal", fault, 1);
  const answers = await Promise.all(
    [...accounts.map(({ email }) => email), `nobody-${crypto.randomUUID()}@campus.test`].map((email) =>
      visit("/auth/forgot.data", { form: { email }, bindings }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status)).size).toBe(1);

  // Minutes later email works again, and the job sends the queue.
  for (const minutes of [2, 4]) {
    servicesAt(minutes * 60_000).drainOutbox();
    await settleDeferred();
  }
  for (const { email } of accounts) {
    const mails = await mailTo(email);
    expect(mails.length).toBeGreaterThanOrEqual(1);
    // An email whose answer was lost may be sent twice. Its link is the same.
    expect(new Set(mails.flatMap(({ links }) => links)).size).toBe(1);
    if (fault !== "lost") expect(mails).toHaveLength(1);
    expect(await count("SELECT COUNT(*) AS n FROM outbox WHERE payload LIKE ? AND done_at IS NULL", `%${email}%`)).toBe(
      0,
    );
  }
});

test.each(FAULTS)(
  "Safaricom that is %s while many pay at once: every payment is found out by itself, and the books balance",
  async (fault) => {
    const deals = await many(() => makeDeal());
    const bindings = without("daraja.sandbox.internal", fault, 2);
    await Promise.all(
      deals.map(async ({ orderId, buyerId }, place) => {
        const answer = await visit(`/checkout/${orderId}`, {
          as: buyerId,
          form: {
            intent: "pay",
            phone: uniquePhone(place % 2 === 0 ? "77" : "05"),
            option: "pickup",
            pickupConfirmed: "on",
          },
          bindings,
        });
        await expectNoInternals(answer);
      }),
    );
    await runSandbox();
    for (const minutes of [2, 4, 6, 10, 20, 40]) {
      await advancePayments(servicesAt(minutes * 60_000));
      await runSandbox();
    }
    for (const { orderId, buyerId } of deals) {
      const { paymentStatus } = await readOrder(orderId);
      const attempts = await readAttempts(orderId);
      const open = await count(
        `SELECT COUNT(*) AS n FROM discrepancies
          WHERE resolved_at IS NULL AND subject IN (SELECT id FROM payment_attempts WHERE order_id = ?)`,
        orderId,
      );
      // Paid; or refused before a prompt was sent, and then paid; or, if nobody can know, listed as a discrepancy.
      if (paymentStatus === "completed") continue;
      if (open > 0) {
        expect([fault, attempts.map(({ state }) => state)]).toEqual(["lost", ["expired"]]);
        continue;
      }
      expect(["pending", "failed"]).toContain(paymentStatus);
      const paid = await visit(`/checkout/${orderId}`, {
        as: buyerId,
        form: { intent: "pay", phone: uniquePhone("77"), option: "pickup", pickupConfirmed: "on" },
      });
      expect(paid.status).toBeLessThan(400);
      await runSandbox();
      await eventually(async () => expect((await readOrder(orderId)).paymentStatus).toBe("completed"));
    }
    expect(await booksOff()).toEqual({});
  },
);
