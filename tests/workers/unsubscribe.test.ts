/** The link in an email that turns emails like it off. */
import { env } from "cloudflare:workers";
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { expect, test } from "vitest";
import { findEmailChoice } from "#app/notifications/settings.server.ts";
import { type ChoiceGroup, CHOICE_GROUPS } from "#app/notifications/settings-rules.ts";
import { readUnsubscribeToken, unsubscribeToken } from "#app/notifications/unsubscribe-link.server.ts";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import { db, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { ORIGIN } from "#tests/support/accounts.ts";
import { UNLIMITED, visit } from "#tests/support/visit.ts";
import { http } from "#tests/support/worker.ts";

const GROUPS = Object.keys(CHOICE_GROUPS) as ChoiceGroup[];

function linkOf(userId: string, group: ChoiceGroup = "offers"): string {
  return `/unsubscribe/${unsubscribeToken(env.PASSWORD_PEPPER, { userId, group })}`;
}

/** What a mail provider sends when somebody presses its button: no cookie, no origin, and a form of its own. */
async function pressButton(link: string): Promise<Response> {
  const body = new FormData();
  body.set("List-Unsubscribe", "One-Click");
  const context = createExecutionContext();
  const answer = await http.fetch(
    new Request(ORIGIN + link, { method: "POST", body }),
    { ...env, ...UNLIMITED },
    context,
  );
  await waitOnExecutionContext(context);
  return answer;
}

async function getsOffers(userId: string, group: ChoiceGroup = "offers"): Promise<boolean | undefined> {
  return (await findEmailChoice(db, { userId, group }))?.on;
}

test("opening the link changes nothing, and names nobody", async () => {
  const userId = await makeUser({ name: "Wanjiku Otieno" });
  const answer = await visit(linkOf(userId));
  const page = await answer.text();
  expect(answer.status).toBe(200);
  expect(page).toContain("Stop emails about offers?");
  expect(page).not.toMatch(/Wanjiku|@campus\.test/);
  expect(answer.headers.get("X-Robots-Tag")).toBe("noindex");
  expect(answer.headers.get("Set-Cookie")).toBeNull();
  expect(await getsOffers(userId)).toBe(true);
});

test("a mail provider's button turns off the emails of that group, without a login, and again changes nothing", async () => {
  const userId = await makeUser();
  for (let at = 0; at < 2; at += 1) {
    const answer = await pressButton(linkOf(userId));
    // RFC 8058 allows no redirect.
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("You get no emails about offers");
    expect(await getsOffers(userId)).toBe(false);
  }
  // Other groups stay as they are for everybody.
  const other = await makeUser();
  for (const group of GROUPS.filter((each) => each !== "offers"))
    expect(await getsOffers(userId, group)).toBe(await getsOffers(other, group));
});

test("the page turns them off and on again, and an old email's link works once more after that", async () => {
  const userId = await makeUser();
  const link = linkOf(userId);
  await visit(link, { form: { emails: "off" } });
  expect(await getsOffers(userId)).toBe(false);
  expect(await (await visit(link)).text()).toContain("Turn On Again");
  await visit(link, { form: { emails: "on" } });
  expect(await getsOffers(userId)).toBe(true);
  await pressButton(link);
  expect(await getsOffers(userId)).toBe(false);
});

test("a forged link does nothing", async () => {
  const [userId, other] = [await makeUser(), await makeUser()];
  const token = unsubscribeToken(env.PASSWORD_PEPPER, { userId, group: "offers" });
  const [group, , signature] = token.split(".");
  const forged = [
    `${group}.${other}.${signature}`,
    `orders.${userId}.${signature}`,
    `money.${userId}.${signature}`,
    `${group}.${userId}.${"A".repeat(43)}`,
    `${group}.${userId}.`,
    unsubscribeToken("another secret", { userId, group: "offers" }),
    `${token}A`,
    "x",
  ];
  for (const each of forged) {
    expect(readUnsubscribeToken(env.PASSWORD_PEPPER, each)).toBeNull();
    expect((await visit(`/unsubscribe/${each}`)).status).toBe(404);
    expect((await pressButton(`/unsubscribe/${each}`)).status).toBe(404);
  }
  for (const each of [userId, other]) expect(await getsOffers(each)).toBe(true);
  expect(readUnsubscribeToken(env.PASSWORD_PEPPER, token)).toEqual({ userId, group: "offers" });
});

test("the link of a deleted account says so, and leaves nothing behind", async () => {
  const userId = await makeUser();
  expect((await deleteAccount(servicesAt(), userId)).ok).toBe(true);
  expect(await (await visit(linkOf(userId))).text()).toContain("This account was deleted.");
  expect((await pressButton(linkOf(userId))).status).toBe(200);
  const rows = await env.DB.prepare("SELECT 1 FROM notification_settings WHERE user_id = ?").bind(userId).all();
  expect(rows.results).toEqual([]);
});
