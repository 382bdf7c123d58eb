/** The form of the second step, wherever it is asked for. */
import { newChallenge, usedPasskey } from "./passkey-checks.server.ts";
import { TWO_STEP_TEXTS } from "./two-step-rules.ts";
import { findSecondSteps, isEmpty, type TwoStepServices, spendCode, spendPasskey } from "./two-step.server.ts";

/** What the form offers. */
export interface StepOffer {
  app: boolean;
  /** What the browser needs to ask for a passkey; null without one. */
  passkey: { challenge: string; ids: string[] } | null;
}

/** Null for an account without a second step. */
export async function findStepOffer(services: TwoStepServices, userId: string): Promise<StepOffer | null> {
  const steps = await findSecondSteps(services.db, userId);
  if (isEmpty(steps)) return null;
  const challenge = newChallenge(services, userId, "webauthn.get", services.now());
  const ids = steps.passkeys.map(({ id }) => id);
  return { app: steps.appSince !== null, passkey: ids.length > 0 ? { challenge, ids } : null };
}

/** Checks what the form sent (`confirm-code` or `confirm-passkey`). `epoch` as in `spendCode`. */
export async function checkStepForm(
  services: TwoStepServices,
  userId: string,
  form: FormData,
  epoch?: number,
): Promise<{ ok: true } | { ok: false; error: string; status: number }> {
  const passkey = form.get("confirm-passkey");
  if (typeof passkey === "string" && passkey !== "") {
    const used = usedPasskey.safeParse(readJson(passkey));
    const done = used.success && (await spendPasskey(services, userId, used.data)).ok;
    return done ? { ok: true } : { ok: false, error: TWO_STEP_TEXTS.wrong_passkey, status: 401 };
  }
  const code = form.get("confirm-code");
  if (typeof code !== "string" || code.trim() === "") return { ok: false, error: TWO_STEP_TEXTS.missing, status: 400 };
  const result = await spendCode(services, userId, code, epoch);
  return result.ok
    ? { ok: true }
    : { ok: false, error: TWO_STEP_TEXTS[result.code], status: result.code === "wrong" ? 401 : 429 };
}

/** Undefined for anything but JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
