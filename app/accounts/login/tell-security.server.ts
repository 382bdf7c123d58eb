/** A change of how somebody logs in, told to its owner, who may not have made it. */
import { sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { oneRow } from "#app/db/build.ts";
import type { TwoStepChange } from "#app/db/states/two-step.ts";
import { notifyEach } from "#app/notifications/notify.server.ts";
import { type ChangeServices, tellAccountChange } from "./account-change.server.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** Run it at the beginning of the batch that changes the password. A first password is told, too. */
export function tellPasswordChanged(services: ChangeServices, userId: string): Statement[] {
  return tellAccountChange(services, userId, { kind: "password_changed", data: {} });
}

/** Run it at the beginning of the batch that links an issuer's login to an account that has another way to log in. */
export function tellLoginLinked(services: ChangeServices, userId: string, issuer: { name: string }): Statement[] {
  return tellAccountChange(services, userId, { kind: "google_linked", data: { issuer: issuer.name } });
}

/** Run it at the beginning of the batch that changes or resets the second step of the login. */
export function tellTwoStepChanged(services: ChangeServices, userId: string, change: TwoStepChange): Statement[] {
  return tellAccountChange(services, userId, { kind: "two_step_changed", data: { change } });
}

/** Somebody got in with a recovery code. */
export function tellRecoveryUsed(userId: string, now: number): Statement[] {
  return tellTried(userId, "recovery_used", now, `two_step_changed:${userId}:${now}`);
}

/** Somebody enters wrong codes after the first step of the login. Once a day, however often. */
export function tellCodesWrong(
  userId: string,
  change: Extract<TwoStepChange, "codes_wrong" | "codes_closed">,
  now: number,
): Statement[] {
  return tellTried(userId, change, now, `${change}:${userId}:${Math.floor(now / DAY_MS)}`);
}

/** Nothing changed that could be undone. */
function tellTried(userId: string, change: TwoStepChange, now: number, key: string): Statement[] {
  const data = JSON.stringify({ change, at: now, undo: null });
  const owner = oneRow({ userId: sql`${userId}`, key: sql`${key}`, data: sql`${data}` });
  return notifyEach("two_step_changed", owner.getSQL(), now);
}
