import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { CLAIM_MS } from "#app/team/claim-rules.ts";
import { changeClaim, findClaim } from "#app/team/claims.server.ts";
import { credentials } from "#app/accounts/tables.server.ts";
import { db, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { makeAdmin } from "#tests/support/visit.ts";

const MINUTE_MS = 60_000;
const newSubject = () => `case:${crypto.randomUUID()}`;
const claim = { intent: "claim", id: "x" } as const;
const release = { intent: "release", id: "x" } as const;

test("one admin has it: another takes it over only from whom their page showed", async () => {
  const [amina, brian, cate] = await Promise.all([makeAdmin(), makeAdmin(), makeAdmin()]);
  const subject = newSubject();
  const services = servicesAt();
  const holder = async () => (await findClaim(services, subject))?.adminId ?? null;
  expect(await holder()).toBeNull();
  expect(await changeClaim(services, amina, subject, claim)).toBe(true);
  expect(await changeClaim(services, brian, subject, claim)).toBe(false);
  expect(await holder()).toBe(amina.id);
  expect(await changeClaim(services, brian, subject, { ...claim, over: amina.id })).toBe(true);
  // Cate's page still shows Amina.
  expect(await changeClaim(services, cate, subject, { ...claim, over: amina.id })).toBe(false);
  expect(await changeClaim(services, amina, subject, release)).toBe(false);
  expect(await holder()).toBe(brian.id);
  expect(await changeClaim(services, brian, subject, release)).toBe(true);
  expect(await holder()).toBeNull();
  expect(await changeClaim(services, cate, subject, claim)).toBe(true);
});

test("two who take it at once: one has it", async () => {
  const admins = await Promise.all([makeAdmin(), makeAdmin()]);
  const subject = newSubject();
  const done = await Promise.all(admins.map((admin) => changeClaim(servicesAt(), admin, subject, claim)));
  expect(done.toSorted()).toEqual([false, true]);
});

test("a claim ends by itself, and pressing again makes it longer", async () => {
  const [amina, brian] = await Promise.all([makeAdmin(), makeAdmin()]);
  const subject = newSubject();
  await changeClaim(servicesAt(), amina, subject, claim);
  expect(await changeClaim(servicesAt(CLAIM_MS - MINUTE_MS), amina, subject, claim)).toBe(true);
  expect(await findClaim(servicesAt(CLAIM_MS + MINUTE_MS), subject)).toMatchObject({ adminId: amina.id });
  expect(await changeClaim(servicesAt(CLAIM_MS + MINUTE_MS), brian, subject, claim)).toBe(false);
  expect(await findClaim(servicesAt(2 * CLAIM_MS), subject)).toBeNull();
  expect(await changeClaim(servicesAt(2 * CLAIM_MS), brian, subject, claim)).toBe(true);
});

test("only an admin who can log in takes anything", async () => {
  const [admin, { id, email }] = await Promise.all([makeAdmin(), makeAdmin()]);
  const nobody = { id: await makeUser(), email: "nobody@campus.test" };
  await db.update(credentials).set({ suspendedAt: 1 }).where(eq(credentials.id, id));
  const subject = newSubject();
  expect(await changeClaim(servicesAt(), nobody, subject, claim)).toBe(false);
  expect(await changeClaim(servicesAt(), { id, email }, subject, claim)).toBe(false);
  expect(await findClaim(servicesAt(), subject)).toBeNull();
  expect(await changeClaim(servicesAt(), admin, subject, claim)).toBe(true);
});
