import type { Statement } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import type { ProposedAct } from "./second-admin-rules.ts";
import { proposeStatements, weighAct, type WeighedAct } from "./weigh-act.server.ts";
import { type Admin, performAdminAction, performMoneyAction } from "#app/team/perform-act.server.ts";

/** An act that can wait for a second admin as a whole. */
export type ProposableAct = WeighedAct & { act: ProposedAct };

/**
 * Leaves an act to a second admin (`/admin/proposals`). Returns false, and writes nothing, if there is no longer
 * anything to move.
 */
export function proposeAct(store: Store, admin: Admin, act: ProposableAct, reasons: string): Promise<boolean> {
  return performAdminAction(
    store,
    admin,
    { action: "act_proposed", subject: act.subject, detail: reasons === "" ? act.act : `${act.act}: ${reasons}` },
    proposeStatements(admin.id, act, { id: crypto.randomUUID(), reasons, now: store.now() }),
  );
}

/**
 * Does an act in one guarded batch, or leaves it to a second admin where it moves too much. `detail`: for the audit
 * log. stale: something has changed, and nothing is written.
 */
export async function performOrPropose(
  store: Store,
  admin: Admin,
  act: ProposableAct,
  detail: string | null,
  statements: Statement[],
): Promise<"done" | "proposed" | "stale"> {
  const weighed = await weighAct(store, admin.id, act);
  if (weighed.step === "propose") return (await proposeAct(store, admin, act, detail ?? "")) ? "proposed" : "stale";
  const action = { action: act.act, subject: act.subject, detail };
  return (await performMoneyAction(store, admin, action, weighed, statements)) ? "done" : "stale";
}
