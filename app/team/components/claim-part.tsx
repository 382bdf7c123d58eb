import { useContext } from "react";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import { type Claim, CLAIM_MS } from "#app/team/claim-rules.ts";
import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { formatTime } from "#app/ui/dates.ts";
import { AdminContext } from "./admin-context.ts";
import { AdminForm } from "./admin-form.tsx";

/** Whether another admin has it, so that this one decides nothing until they take it over. */
export function useIsTaken(claim: Claim | null): boolean {
  const { id } = useContext(AdminContext);
  return claim !== null && claim.adminId !== id;
}

/** In a list: who has it. */
export function ClaimBadge({ claim }: { claim: Claim | null }) {
  const isTaken = useIsTaken(claim);
  return claim && <StatusBadge tone="blue">{isTaken ? `${claim.name} works on it` : "You work on it"}</StatusBadge>;
}

interface ClaimPartProps {
  /** The id of the thing. */
  subject: string;
  claim: Claim | null;
  answer: AdminFormAnswer | null;
}

/** Who has it, with the button to take it, take it over or give it back. */
export function ClaimPart({ subject, claim, answer }: ClaimPartProps) {
  const isTaken = useIsTaken(claim);
  const form = { subject, answer };
  if (!claim)
    return (
      <div className="row row--apart">
        <p className="quiet small">Nobody works on this yet.</p>
        <AdminForm {...form} intent="claim" label="I'll Take This" />
      </div>
    );
  const since = `since ${formatTime(claim.until - CLAIM_MS)}`;
  return (
    <div className="row row--apart">
      <p className="small">
        {isTaken ? `${claim.name} works on this ${since}. ${ADMIN_TEXTS.taken}` : `You work on this ${since}.`}
      </p>
      {isTaken ? (
        <AdminForm {...form} intent="claim" label="Take Over" values={{ over: claim.adminId }} />
      ) : (
        <AdminForm {...form} intent="release" label="Give It Back" />
      )}
    </div>
  );
}
