/** A change of how somebody logs in, told to its owner, who may not have made it. */
import { sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { oneRow } from "#app/db/build.ts";
import type { TwoStepChange } from "#app/db/states/two-step.ts";
import { notifyEach } from "#app/notifications/notify.server.ts";

/** Run it in the batch that changes the password. A first password is told, too. */
export function tellPasswordChanged(userId: string, now: number): Statement[] {
  return toOwner(userId, "password_changed", now);
}

/** Run it in the batch that links a Google account to an account that has another way to log in. */
export function tellGoogleLinked(userId: string, now: number): Statement[] {
  return toOwner(userId, "google_linked", now);
}

/** Run it in the batch that changes or resets the second step of the login. */
export function tellTwoStepChanged(userId: string, change: TwoStepChange, now: number): Statement[] {
  return toOwner(userId, "two_step_changed", now, { change });
}

const DAY_MS = 24 * 60 * 60_000;

/** Somebody enters wrong codes after the first step of the login. Once a day, however often. */
export function tellCodesWrong(
  userId: string,
  change: Extract<TwoStepChange, "codes_wrong" | "codes_closed">,
  now: number,
): Statement[] {
  const key = `${change}:${userId}:${Math.floor(now / DAY_MS)}`;
  return toOwner(userId, "two_step_changed", now, { change }, key);
}

type SecurityKind = "password_changed" | "google_linked" | "two_step_changed";

function toOwner(
  userId: string,
  kind: SecurityKind,
  now: number,
  data: object = {},
  key = `${kind}:${userId}:${now}`,
): Statement[] {
  const owner = oneRow({
    userId: sql`${userId}`,
    key: sql`${key}`,
    data: sql`${JSON.stringify(data)}`,
  });
  return notifyEach(kind, owner.getSQL(), now);
}
