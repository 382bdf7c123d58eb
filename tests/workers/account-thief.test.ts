/**
 * A thief knows the password of a seller whose money is coming. Whatever the thief and the owner do, in every order:
 * whoever holds the mailbox that the account had at first gets back in within the days of the link, the thief is out,
 * and no money has gone to the thief's number before its time (docs/product-rules.md, "It wasn't me").
 */
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { UNDO_DAYS } from "#app/accounts/login/account-rules.ts";
import { askForEmailChange, changeEmail } from "#app/accounts/login/email-change.server.ts";
import { emailTokenOf } from "#app/accounts/login/email-tokens.server.ts";
import { signInWithIssuer } from "#app/accounts/login/issuer-sign-in.server.ts";
import { GOOGLE } from "#tests/support/issuers.ts";
import type { Issuer } from "#app/accounts/login/issuer.ts";
import { resetPassword, sendPasswordReset } from "#app/accounts/login/password-reset.server.ts";
import { removePhone, savePhone } from "#app/accounts/profile/payout-phone.server.ts";
import { changePassword, checkOwnPassword } from "#app/accounts/profile/settings.server.ts";
import { endSessions, signIn } from "#app/accounts/login/sign-in.server.ts";
import { takeBack } from "#app/accounts/login/take-back.server.ts";
import { newChallenge } from "#app/accounts/two-step/passkey-checks.server.ts";
import { codeAt, periodAt } from "#app/accounts/two-step/totp.server.ts";
import {
  addApp,
  addPasskey,
  findSecondSteps,
  findStartedApp,
  removeStep,
  renewRecoveryCodes,
  spendCode,
  spendPasskey,
  startApp,
  type StepChange,
} from "#app/accounts/two-step/two-step.server.ts";
import { markAllRead } from "#app/notifications/centre.server.ts";
import type { Mail } from "#app/notifications/mailer.ts";
import { lookAgainAtNumber } from "#app/payments/transfers/payouts.server.ts";
import { advanceTransfer } from "#app/payments/transfers/send-transfer.server.ts";
import type { Services } from "#app/request/services.ts";
import { cheapHash, makeAccount, PASSWORD, readRow } from "#tests/support/accounts.ts";
import { openAuthenticator } from "#tests/support/authenticator.ts";
import { makeDeal, readPayout, servicesAt } from "#tests/support/fixtures.ts";
import { asPayout } from "#tests/support/transfers.ts";
import { drainOutbox } from "#workers/jobs/send-outbox.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const OWN_NUMBER = "254711000012";
const THIEFS_NUMBER = "254711000034";

/** What somebody knows or has. */
interface Person {
  name: "owner" | "thief";
  /** Passwords that they know, the latest first. */
  passwords: string[];
  /** Addresses whose emails they read. */
  mailboxes: string[];
  apps: Uint8Array[];
  passkeys: ReturnType<typeof openAuthenticator>[];
  codes: string[];
  address: string;
}

interface World {
  id: string;
  itemId: string;
  payoutId: string;
  owner: Person;
  thief: Person;
  /** Ms after the beginning. */
  now: number;
  /** Until when nothing may go to the thief's number, ms after the beginning; null while it isn't in the profile. */
  waitsUntil: number | null;
  /** When the email or a second step last changed. */
  accessChangedAt: number;
  story: string[];
}

function person(name: Person["name"], mailbox: string): Person {
  const address = name === "owner" ? "41.90.0.1" : "105.160.0.1";
  return { name, passwords: [PASSWORD], mailboxes: [mailbox], apps: [], passkeys: [], codes: [], address };
}

async function makeWorld(hasApp: boolean): Promise<World> {
  const { id, email } = await makeAccount();
  const deal = await makeDeal({ sellerId: id });
  const payoutId = crypto.randomUUID();
  const { DB } = env;
  await DB.batch([
    DB.prepare("UPDATE credentials SET password_hash = ?2 WHERE id = ?1").bind(id, cheapHash()),
    DB.prepare("UPDATE profiles SET is_seller = 1, phone = ?2 WHERE id = ?1").bind(id, OWN_NUMBER),
    DB.prepare("UPDATE orders SET payment_status = 'completed' WHERE id = ?").bind(deal.orderId),
    DB.prepare("UPDATE order_items SET status = 'completed' WHERE id = ?").bind(deal.itemId),
    DB.prepare(
      `INSERT INTO payouts (id, order_item_id, seller_id, amount, state, conversation_id, callback_token,
        next_action_at, created_at, updated_at)
        VALUES (?1, ?2, ?3, 1900, 'due', ?1, ?1, 1, 1, 1)`,
    ).bind(payoutId, deal.itemId, id),
    DB.prepare("INSERT INTO payout_items (payout_id, order_item_id, amount, created_at) VALUES (?, ?, 1900, 1)").bind(
      payoutId,
      deal.itemId,
    ),
    DB.prepare(
      `INSERT INTO payment_attempts (id, purpose, order_id, user_id, phone, amount, state, callback_token, confirmed_at,
        created_at, updated_at)
        VALUES (?1, 'order', ?1, ?2, '254722000020', 1900, 'succeeded', ?1, 1, 1, 1)`,
    ).bind(deal.orderId, deal.buyerId),
  ]);
  const world: World = {
    id,
    itemId: deal.itemId,
    payoutId,
    owner: person("owner", email),
    thief: person("thief", `thief-0-${id}@mail.test`),
    now: 0,
    waitsUntil: null,
    accessChangedAt: -Infinity,
    story: [],
  };
  if (hasApp) {
    // The owner had it for long, and the thief has found the sheet with the recovery codes.
    const month = { ...world, now: -30 * DAY_MS };
    await actions.addApp(month, world.owner);
    world.thief.codes = [...world.owner.codes];
    await DB.batch([
      DB.prepare("DELETE FROM email_tokens WHERE user_id = ?").bind(id),
      DB.prepare("DELETE FROM outbox WHERE json_extract(payload, '$.reader') = ?").bind(id),
    ]);
  }
  return world;
}

const at = (world: World): Services => servicesAt(world.now);

async function emailOf({ id }: World): Promise<string> {
  return String((await readRow("credentials", id)).email);
}

/**
 * Logs in with what somebody knows: the password, and the second step if there is one. Returns the password that was
 * right.
 */
async function enter(world: World, who: Person): Promise<string | null> {
  const email = await emailOf(world);
  // How often somebody may try is another matter.
  await env.DB.prepare("DELETE FROM rate_counters WHERE key LIKE 'sign-in%' OR key LIKE 'two-step%'").run();
  for (const password of who.passwords) {
    const signedIn = await signIn(at(world), { email, password, address: who.address, device: null });
    if (!signedIn.ok) continue;
    return !signedIn.secondStep || (await passStep(world, who)) ? password : null;
  }
  return null;
}

/** Does the second step with whatever somebody has. */
async function passStep(world: World, who: Person): Promise<boolean> {
  const services = at(world);
  for (const passkey of who.passkeys) {
    const challenge = newChallenge(services, world.id, "webauthn.get", services.now());
    if ((await spendPasskey(services, world.id, passkey.use(challenge))).ok) return true;
  }
  for (const secret of who.apps)
    if ((await spendCode(services, world.id, codeAt(secret, periodAt(services.now())))).ok) return true;
  for (const code of who.codes) if ((await spendCode(services, world.id, code)).ok) return true;
  return false;
}

/** Every email that has left, in order. */
const left: Mail[] = [];

/** The job sends what waits, and leaves out what need not be told any more. */
async function deliver(world: World): Promise<void> {
  const mailer = { send: async (mail: Mail) => void left.push(mail) };
  while ((await drainOutbox(at(world), { mailer, push: null })) > 0);
}

/** The emails that have reached somebody, the latest first. */
async function mailsOf(world: World, { mailboxes }: Person): Promise<Mail[]> {
  await deliver(world);
  return left.filter(({ to }) => mailboxes.includes(to)).toReversed();
}

type Purpose = "undo" | "password_reset" | "email_change";

/** The tokens in somebody's emails, the latest first. */
async function linksOf(world: World, who: Person, purpose: Purpose): Promise<string[]> {
  return (await mailsOf(world, who)).flatMap(({ template, data }) => {
    const undo = "undo" in data ? data.undo?.tokenId : undefined;
    const other = template === purpose && "tokenId" in data ? data.tokenId : undefined;
    const id = purpose === "undo" ? undo : other;
    return id ? [emailTokenOf(env.PASSWORD_PEPPER, id)] : [];
  });
}

function noteAccessChange(world: World): void {
  world.accessChangedAt = world.now;
  if (world.waitsUntil !== null && world.waitsUntil > world.now)
    world.waitsUntil = Math.max(world.waitsUntil, world.now + 3 * DAY_MS);
}

function noteStep(world: World, who: Person, changed: StepChange): boolean {
  if (!changed.ok) return false;
  if (changed.codes) who.codes = [...changed.codes, ...who.codes];
  noteAccessChange(world);
  return true;
}

async function choosePassword(world: World, who: Person, token: string): Promise<boolean> {
  const password = `${who.name}-${crypto.randomUUID()}`;
  const chosen = await resetPassword(at(world), { token, password });
  if (chosen.ok) who.passwords.unshift(password);
  return chosen.ok;
}

async function saveNumber(world: World, who: Person, passwordHash: string | null): Promise<boolean> {
  const phone = who.name === "owner" ? OWN_NUMBER : THIEFS_NUMBER;
  const before = (await readRow("profiles", world.id)).phone;
  const saved = await savePhone(at(world), { userId: world.id, phone, passwordHash }, []);
  if (!saved.ok || before === phone) return false;
  world.waitsUntil =
    phone === OWN_NUMBER
      ? null
      : Math.max(world.now + DAY_MS, world.accessChangedAt + 3 * DAY_MS, world.waitsUntil ?? -Infinity);
  return true;
}

/** Each says whether it did something. */
const actions = {
  async changePassword(world: World, who: Person, currentPassword: string) {
    const newPassword = `${who.name}-${crypto.randomUUID()}`;
    const changed = await changePassword(at(world), world.id, { currentPassword, newPassword });
    if (changed.ok) who.passwords.unshift(newPassword);
    return changed.ok;
  },
  async askForEmail(world: World, who: Person, currentPassword: string) {
    if (who.name === "owner") return false;
    const email = `thief-${who.mailboxes.length}-${world.id}@mail.test`;
    const asked = await askForEmailChange(at(world), world.id, { email, currentPassword });
    if (asked.ok) who.mailboxes.push(email);
    return asked.ok;
  },
  async confirmEmail(world: World, who: Person) {
    for (const token of await linksOf(world, who, "email_change"))
      if ((await changeEmail(at(world), world.id, token)).ok) {
        noteAccessChange(world);
        return true;
      }
    return false;
  },
  async takeEmail(world: World, who: Person, password: string): Promise<boolean> {
    return (await actions.askForEmail(world, who, password)) && actions.confirmEmail(world, who);
  },
  async changeNumber(world: World, who: Person, password: string) {
    const check = await checkOwnPassword(at(world), world.id, password);
    return check.ok && saveNumber(world, who, check.hash);
  },
  /** By one of the forms that don't ask for the password. */
  async changeNumberFreely(world: World, who: Person) {
    return saveNumber(world, who, null);
  },
  /** What somebody has read in the app need not be emailed, unless it is about who gets in. */
  async readNotices(world: World) {
    await markAllRead(at(world), world.id, Number.MAX_SAFE_INTEGER);
    return true;
  },
  async removeNumber(world: World) {
    await env.DB.prepare("UPDATE profiles SET is_seller = 0 WHERE id = ?").bind(world.id).run();
    return removePhone(at(world), world.id, []);
  },
  async addApp(world: World, who: Person) {
    const services = at(world);
    if (!(await startApp(services, world.id, "session"))) return false;
    const started = await findStartedApp(services, world.id, "session");
    if (!started) return false;
    const { secret } = started;
    const code = codeAt(new Uint8Array(secret), periodAt(services.now()) - 1);
    const added = noteStep(world, who, await addApp(services, world.id, code));
    if (added) who.apps.unshift(new Uint8Array(secret));
    return added;
  },
  async addPasskey(world: World, who: Person) {
    const services = at(world);
    const authenticator = openAuthenticator();
    const made = authenticator.make(newChallenge(services, world.id, "webauthn.create", services.now()));
    const added = noteStep(world, who, await addPasskey(services, world.id, made));
    if (added) who.passkeys.unshift(authenticator);
    return added;
  },
  async renewCodes(world: World, who: Person) {
    const codes = await renewRecoveryCodes(at(world), world.id);
    if (!codes) return false;
    who.codes = [...codes, ...who.codes];
    noteAccessChange(world);
    return true;
  },
  async removeAStep(world: World, who: Person) {
    const steps = await findSecondSteps(at(world).db, world.id);
    const which = steps.appSince === null ? (steps.passkeys[0]?.id ?? "none") : "app";
    return noteStep(world, who, await removeStep(at(world), world.id, which, true));
  },
  async logOutEverywhere(world: World) {
    await endSessions(at(world), world.id);
    return true;
  },
} satisfies Record<string, (world: World, who: Person, password: string) => Promise<boolean>>;

/** What needs no login. */
const mailActions = {
  async undo(world: World, who: Person) {
    for (const token of await linksOf(world, who, "undo")) {
      const done = await takeBack(at(world), token, lookAgainAtNumber);
      if (!done.ok) continue;
      const { phone } = await readRow("profiles", world.id);
      if (phone !== THIEFS_NUMBER) world.waitsUntil = null;
      // Half the time, somebody closes the page and chooses a password later, or never.
      if (done.resetToken !== null && world.story.length % 2 === 0) await choosePassword(world, who, done.resetToken);
      return true;
    }
    return false;
  },
  async resetPassword(world: World, who: Person) {
    for (const mailbox of who.mailboxes) await sendPasswordReset(at(world), mailbox);
    for (const token of await linksOf(world, who, "password_reset"))
      if (await choosePassword(world, who, token)) return true;
    return false;
  },
  google: (world: World, who: Person) => enterBy(GOOGLE, world, who),
  university: (world: World, who: Person) => enterBy(UNIVERSITY, world, who),
} satisfies Record<string, (world: World, who: Person) => Promise<boolean>>;

const UNIVERSITY = { ...GOOGLE, key: "campus.test", name: "Chuo Kipya", domain: "campus.test" };

async function enterBy(issuer: Issuer, world: World, who: Person): Promise<boolean> {
  const subject = `${who.name}-${world.id}`;
  const { email, google_subject: google, issuer_subject: university } = await readRow("credentials", world.id);
  const own = who.mailboxes.find((mailbox) => mailbox === email) ?? who.mailboxes[0] ?? "";
  if (own !== email && google !== subject && university !== `${issuer.key}:${subject}`) return false;
  const identity = { subject, email: own, emailVerified: true, name: who.name };
  const entered = await signInWithIssuer(at(world), issuer, identity);
  return entered.ok && entered.userId === world.id;
}

type Act = keyof typeof actions | keyof typeof mailActions;
const ACTS = [...Object.keys(actions), ...Object.keys(mailActions)] as Act[];

async function play(world: World, name: Person["name"], act: Act): Promise<void> {
  const who = world[name];
  let isDone = false;
  if (act in mailActions) isDone = await mailActions[act as keyof typeof mailActions](world, who);
  else {
    const password = await enter(world, who);
    isDone = password !== null && (await actions[act as keyof typeof actions](world, who, password));
  }
  if (isDone) world.story.push(`${(world.now / HOUR_MS).toFixed(1)} h: ${name} ${act}`);
}

/**
 * The seller's next payout is due. Nothing goes to the thief's number before its time, and nothing to anybody while a
 * new password is awaited. Returns whether it was sent.
 */
async function sendNext(world: World): Promise<boolean> {
  await env.DB.prepare(
    `UPDATE payouts SET state = 'due', next_action_at = 1, phone = NULL, wait_reason = NULL, send_count = 0,
      conversation_id = ?2, callback_token = ?2 WHERE id = ?1`,
  )
    .bind(world.payoutId, crypto.randomUUID())
    .run();
  const { taken_back_at: takenBackAt } = await readRow("credentials", world.id);
  await advanceTransfer(at(world), asPayout(world.payoutId));
  const after = await readPayout(world.itemId);
  if (after?.state === "due") return false;
  expect(after?.state).toBe("sent");
  expect(takenBackAt, "sent before a new password was chosen").toBe(null);
  if (after?.phone !== THIEFS_NUMBER) return true;
  expect(world.waitsUntil, "sent to a number that isn't in the profile").not.toBe(null);
  expect(world.now, "sent before its time").toBeGreaterThanOrEqual((world.waitsUntil ?? 0) - MINUTE_MS);
  world.story.push(`${(world.now / HOUR_MS).toFixed(1)} h: paid to the thief`);
  return true;
}

/** The owner presses the newest link that works, or asks for a new password, and logs in. */
async function recover(world: World): Promise<void> {
  const { owner } = world;
  let isChosen = false;
  for (const token of await linksOf(world, owner, "undo")) {
    const done = await takeBack(at(world), token, lookAgainAtNumber);
    if (!done.ok) continue;
    isChosen = await choosePassword(world, owner, done.resetToken ?? "none");
    break;
  }
  world.now += 2 * HOUR_MS;
  if (!isChosen) expect(await mailActions.resetPassword(world, owner), "a new password").toBe(true);
}

/** What every story ends with. */
async function expectSafe(world: World): Promise<void> {
  const { owner, thief } = world;
  await recover(world);
  world.now += MINUTE_MS;
  expect(owner.mailboxes).toContain(await emailOf(world));
  expect(await enter(world, owner), "the owner is in").toBe(owner.passwords[0]);
  world.now += MINUTE_MS;
  expect(await enter(world, thief), "the thief is out").toBe(null);
  for (const token of await linksOf(world, thief, "undo"))
    expect((await takeBack(at(world), token, lookAgainAtNumber)).ok).toBe(false);
  for (const act of ["google", "university", "resetPassword"] as const)
    expect(await mailActions[act](world, thief)).toBe(false);
  expect(await actions.confirmEmail(world, thief)).toBe(false);
  expect(await enter(world, owner)).toBe(owner.passwords[0]);
  const { phone } = await readRow("profiles", world.id);
  expect(phone).toBe(OWN_NUMBER);
  // The money isn't frozen for ever.
  world.now += MINUTE_MS;
  world.now += 3 * DAY_MS;
  expect(await sendNext(world), "the owner is paid").toBe(true);
}

const steps = fc.array(
  fc.record({
    who: fc.constantFrom("thief" as const, "thief" as const, "owner" as const),
    act: fc.constantFrom(...ACTS),
    hours: fc.constantFrom(0, 0, 1, 5, 20),
  }),
  { minLength: 3, maxLength: 8 },
);

/** Stories that were wrong once, or that people thought of first. */
const KNOWN: [boolean, { who: "thief" | "owner"; act: Act; hours: number }[]][] = [
  [
    false,
    [
      { who: "thief", act: "addPasskey", hours: 0 },
      { who: "thief", act: "changeNumber", hours: 5 },
      { who: "thief", act: "logOutEverywhere", hours: 20 },
      { who: "thief", act: "logOutEverywhere", hours: 20 },
    ],
  ],
  [
    false,
    [
      { who: "thief", act: "takeEmail", hours: 1 },
      { who: "thief", act: "google", hours: 1 },
      { who: "owner", act: "undo", hours: 20 },
      { who: "thief", act: "google", hours: 1 },
      { who: "thief", act: "undo", hours: 1 },
    ],
  ],
  [
    false,
    [
      { who: "thief", act: "changeNumber", hours: 0 },
      { who: "thief", act: "addApp", hours: 0 },
      { who: "owner", act: "resetPassword", hours: 1 },
      { who: "thief", act: "logOutEverywhere", hours: 20 },
      { who: "thief", act: "logOutEverywhere", hours: 5 },
    ],
  ],
  [
    false,
    [
      { who: "thief", act: "addApp", hours: 20 },
      { who: "thief", act: "askForEmail", hours: 5 },
      { who: "thief", act: "confirmEmail", hours: 0 },
      { who: "thief", act: "changeNumber", hours: 0 },
      { who: "thief", act: "undo", hours: 1 },
      { who: "thief", act: "resetPassword", hours: 0 },
      { who: "thief", act: "addPasskey", hours: 20 },
    ],
  ],
  [
    true,
    [
      { who: "thief", act: "renewCodes", hours: 1 },
      { who: "thief", act: "removeAStep", hours: 1 },
      { who: "thief", act: "addPasskey", hours: 1 },
      { who: "thief", act: "changeNumber", hours: 20 },
    ],
  ],
];

test("a thief with the password neither keeps the account nor takes money in time, whatever anybody does", async () => {
  const property = fc.asyncProperty(fc.boolean(), steps, async (hasApp, story) => {
    const world = await makeWorld(hasApp);
    for (const { who, act, hours } of story) {
      world.now += hours * HOUR_MS + MINUTE_MS;
      await sendNext(world);
      await play(world, who, act);
      await sendNext(world);
    }
    expect(world.now).toBeLessThan(UNDO_DAYS * DAY_MS);
    try {
      await expectSafe(world);
    } catch (error) {
      throw new Error(`${hasApp ? "with an app: " : ""}${world.story.join("; ")}`, { cause: error });
    }
  });
  await fc.assert(property, { numRuns: 25, examples: KNOWN });
}, 300_000);
