import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { merchantOf } from "#workers/sandbox/merchant.ts";

const DARAJA = "https://daraja.sandbox.internal";
const MAIL = "https://mail.sandbox.internal/messages";
const PUBLIC = "http://localhost:8787/sandbox";
const MERCHANT = merchantOf(env);

function json(body: unknown, method = "POST"): RequestInit {
  return {
    method,
    headers: { "Content-Type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}

async function read(
  url: string,
  init?: RequestInit,
): Promise<[number, Record<string, never> & { error?: string; errorCode?: string }]> {
  const response = await env.SANDBOX.fetch(url, init);
  return [response.status, await response.json()];
}

async function push(phone: string, reference: string): Promise<string> {
  const basic = `Basic ${btoa(`${MERCHANT.consumerKey}:${MERCHANT.consumerSecret}`)}`;
  const granted = await env.SANDBOX.fetch(`${DARAJA}/oauth/v1/generate?grant_type=client_credentials`, {
    headers: { Authorization: basic },
  });
  const { access_token: token } = await granted.json<{ access_token: string }>();
  const timestamp = "20261121140500";
  const answer = await env.SANDBOX.fetch(`${DARAJA}/mpesa/stkpush/v1/processrequest`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({
      BusinessShortCode: MERCHANT.shortcode,
      Password: btoa(MERCHANT.shortcode + MERCHANT.passkey + timestamp),
      Timestamp: timestamp,
      TransactionType: "CustomerPayBillOnline",
      Amount: "1500",
      PartyA: phone,
      PartyB: MERCHANT.shortcode,
      PhoneNumber: phone,
      CallBackURL: "http://localhost:8787/hooks/pay/s/0",
      AccountReference: reference,
      TransactionDesc: "Order",
    }),
  });
  return (await answer.json<{ CheckoutRequestID: string }>()).CheckoutRequestID;
}

describe("Daraja's paths", () => {
  test("refuse what they do not know, in Daraja's own shape", async () => {
    expect(await read(`${DARAJA}/mpesa/stkpush/v2/processrequest`, json({}))).toMatchObject([
      404,
      { errorCode: "404.001.01" },
    ]);
    expect(await read(`${DARAJA}/mpesa/stkpush/v1/processrequest`)).toMatchObject([405, { errorCode: "405.001" }]);
    expect(await read(`${DARAJA}/mpesa/b2c/v1/paymentrequest`, json({}))).toMatchObject([
      404,
      { errorCode: "404.001.01" },
    ]);
    expect(await read(`${DARAJA}/oauth/v1/generate`)).toMatchObject([400, { errorCode: "400.008.01" }]);
    expect(await read(`${DARAJA}/mpesa/b2c/v3/paymentrequest`, json("{"))).toMatchObject([
      401,
      { errorCode: "401.002.01" },
    ]);
  });
});

describe("the mailbox", () => {
  test("keeps what the app sends, newest first, and finds a recipient in any case", async () => {
    const mail = {
      to: "Njeri@campus.test",
      subject: "Confirm",
      text: "Hello",
      html: '<a href="http://localhost:8787/auth/callback?a=1&amp;b=2">Go</a>',
    };
    expect((await read(MAIL, json(mail)))[0]).toBe(202);
    expect((await read(MAIL, json({ ...mail, to: "brian@campus.test" })))[0]).toBe(202);
    expect((await read(MAIL, json({ ...mail, subject: "Again" })))[0]).toBe(202);
    expect(await read(`${PUBLIC}/mailbox.json?to=njeri@campus.test`)).toMatchObject([
      200,
      [{ ...mail, subject: "Again", links: ["http://localhost:8787/auth/callback?a=1&b=2"] }, mail],
    ]);
    // Without a recipient it returns all emails. One that an earlier test queued may have arrived, too.
    expect(await read(`${PUBLIC}/mailbox.json`)).toEqual([
      200,
      expect.arrayContaining([
        expect.objectContaining({ ...mail, subject: "Again" }),
        expect.objectContaining(mail),
        expect.objectContaining({ to: "brian@campus.test" }),
      ]),
    ]);
  });

  test("takes nothing from the public port, and nothing that is not a mail", async () => {
    const mail = { to: "a@campus.test", subject: "", text: "", html: "" };
    for (const url of ["http://localhost:8787/messages", `${PUBLIC}/mail`, `${PUBLIC}/messages`])
      expect((await read(url, json(mail)))[0]).toBe(404);
    for (const wrong of [
      "{",
      null,
      {},
      { ...mail, to: "nobody" },
      { ...mail, html: 7 },
      { ...mail, text: "x".repeat(500_001) },
    ]) {
      expect(await read(MAIL, json(wrong))).toMatchObject([400, { error: expect.any(String) }]);
    }
  });

  test("shows a mail in a frame where no script runs", async () => {
    const [, { id }] = await read(
      MAIL,
      json({ to: "a@campus.test", subject: "<b>", text: "<i>", html: "<script>alert(1)</script>" }),
    );
    const page = await (await env.SANDBOX.fetch(`${PUBLIC}/mailbox?mail=${id}`)).text();
    expect(page).toContain("&lt;b&gt;");
    expect(page).toContain(
      `src="/sandbox/mailbox/${id}/html" height="160" sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"`,
    );
    const framed = await env.SANDBOX.fetch(`${PUBLIC}/mailbox/${id}/html`);
    expect(framed.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect(framed.headers.get("Content-Security-Policy")).not.toContain("allow-scripts");
    for (const other of ["999999", "1e3", "x"])
      expect((await env.SANDBOX.fetch(`${PUBLIC}/mailbox/${other}/html`)).status).toBe(404);
    expect((await env.SANDBOX.fetch(`${PUBLIC}/mailbox?mail=x&to=%00`)).status).toBe(200);
  });
});

describe("the handset", () => {
  test("shows the question of an open prompt, as text whatever is in it, and only on its own phone", async () => {
    await push("254712345600", "<img src=x>");
    const response = await env.SANDBOX.fetch(`${PUBLIC}/phone?phone=0712345600`);
    const page = await response.text();
    expect(page).toContain("Do you want to pay KES 1,500 to CHUONI? Account no. &lt;img src=x&gt;");
    expect(page).not.toContain("<img src=x");
    expect(response.headers.get("Content-Security-Policy")).toContain("script-src 'self'");
    expect(await (await env.SANDBOX.fetch(`${PUBLIC}/phone?phone=0712345799`)).text()).not.toContain(
      "Do you want to pay",
    );
    expect(await (await env.SANDBOX.fetch(`${PUBLIC}/phone/live?phone=254712345600`)).text()).toContain("data-prompt=");
  });

  test("answers a prompt once, and says what is wrong with any other answer", async () => {
    const id = await push("254712345700", "ORD1a2b3c4d");
    const prompt = `${PUBLIC}/prompts/${id}`;
    for (const wrong of ["{", {}, { outcome: "later" }, { outcome: ["pay"] }, []]) {
      expect(await read(prompt, json(wrong))).toMatchObject([
        400,
        { error: expect.stringContaining("pay, cancel, wrong_pin, timeout, insufficient") },
      ]);
    }
    const form = { method: "POST", headers: { "Content-Type": "text/plain" }, body: '{"outcome":"pay"}' };
    expect((await read(prompt, form))[0]).toBe(400);
    expect((await read(`${PUBLIC}/prompts/ws_CO_1`, json({ outcome: "pay" })))[0]).toBe(404);
    expect(await read(prompt, json({ outcome: "cancel" }))).toEqual([
      200,
      { CheckoutRequestID: id, outcome: "cancel" },
    ]);
    expect((await read(prompt, json({ outcome: "pay" })))[0]).toBe(409);
    const [, activity] = await read(`${PUBLIC}/prompts.json`);
    expect(activity).toMatchObject({
      prompts: expect.arrayContaining([expect.objectContaining({ CheckoutRequestID: id, state: "cancelled" })]),
    });
  });
});

test("faults change by JSON only, within their bounds, and can all be put back", async () => {
  expect(await read(`${PUBLIC}/faults`, json({ queryNoise: 5 }))).toMatchObject([200, { queryNoise: 5 }]);
  expect(await read(`${PUBLIC}/faults`)).toMatchObject([200, { queryNoise: 5, strict: false }]);
  for (const wrong of ["{", { queryNoise: "many" }, { unheardOf: true }])
    expect((await read(`${PUBLIC}/faults`, json(wrong)))[0]).toBe(400);
  expect(await read(`${PUBLIC}/faults`, { method: "DELETE" })).toMatchObject([200, { queryNoise: 0 }]);
});

test("the start page lists the demo accounts and every phone ending, and other paths don't exist", async () => {
  const page = await (await env.SANDBOX.fetch(PUBLIC)).text();
  for (const text of [
    "campus-demo",
    "newcomer@campus.test",
    "CAMPUS23",
    "waits for you on the handset",
    "the answer to the request is lost",
  ]) {
    expect(page).toContain(text);
  }
  for (const name of ["style.css", "live.js", "handset.js", "mailbox.js", "icon.svg"]) {
    expect((await env.SANDBOX.fetch(`${PUBLIC}/assets/${name}`)).status).toBe(200);
  }
  for (const path of ["/assets/toString", "/nothing", "/prompts"])
    expect((await env.SANDBOX.fetch(PUBLIC + path)).status).toBe(404);
});
