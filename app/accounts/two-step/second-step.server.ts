import { redirect } from "react-router";
import { z } from "zod";
import { type CookieOptions, createSignedCookie, type SignedCookie } from "#app/platform/signed-cookie.server.ts";
import { withReturnPath } from "#app/accounts/login/account-rules.ts";
import { leaveOthers, type LeavingServices } from "#app/accounts/login/session.server.ts";
import { SECOND_STEP_LIFE_MS } from "./two-step-rules.ts";

const firstStepSchema = z.object({
  userId: z.string().max(64),
  email: z.string().max(254),
  epoch: z.number().int(),
  /** As the session will be; undefined for the default of the device. */
  kept: z.boolean().optional(),
  profileComplete: z.boolean(),
  /** Ms since 1970. */
  at: z.number().int(),
});

/** Somebody who has shown their password, a link or their account at an issuer, and still has to do the second step. */
export type FirstStep = z.infer<typeof firstStepSchema>;
export type FirstStepCookie = SignedCookie<FirstStep>;

export function createFirstStepCookie(options: CookieOptions): FirstStepCookie {
  const name = options.secure ? "__Host-first-step" : "first-step";
  return createSignedCookie(name, firstStepSchema, SECOND_STEP_LIFE_MS / 1000, options);
}

interface Entering {
  firstStep: FirstStepCookie;
  now(): number;
}

/**
 * Where an account has a second step, its login goes on there: returns the redirect to it. Null for other accounts,
 * which are logged in. Whoever else was logged in on this browser no longer is.
 */
export async function askSecondStep(
  services: Entering & LeavingServices,
  request: Request,
  who: Omit<FirstStep, "at"> & { secondStep: boolean },
  to: string | null,
): Promise<Response | null> {
  if (!who.secondStep) return null;
  const { userId, email, epoch, kept, profileComplete } = who;
  const { sessions, firstStep, now } = services;
  await leaveOthers(services, request, userId);
  const headers = new Headers();
  headers.append("Set-Cookie", await sessions.end(request));
  headers.append("Set-Cookie", await firstStep.write({ userId, email, epoch, kept, profileComplete, at: now() }));
  return redirect(withReturnPath("/auth/two-step", to), { headers });
}

/** Who has done the first step in this browser, less than ten minutes ago. */
export async function readFirstStep({ firstStep, now }: Entering, request: Request): Promise<FirstStep | null> {
  const first = await firstStep.read(request);
  return first && now() < first.at + SECOND_STEP_LIFE_MS ? first : null;
}
