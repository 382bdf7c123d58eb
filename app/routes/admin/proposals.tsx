import type { Route } from "./+types/proposals.ts";
import { DESK_ACTS } from "#app/admin/desk-acts.server.ts";
import { proposalForm } from "#app/moderation/second-admin/proposal-forms.ts";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import { MONEY_TEXTS } from "#app/admin/money/money-texts.ts";
import { ProposalsView } from "#app/moderation/second-admin/proposals-view.tsx";
import { passAdminForm } from "#app/team/form-answer.ts";
import { confirmProposal, declineProposal, listProposals } from "#app/moderation/second-admin/proposals.server.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { readAdminForm } from "#app/screens/actions/admin-form.server.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Proposals");
}

export async function loader({ context }: Route.LoaderArgs) {
  return { ...(await listProposals(context.get(servicesContext))), viewerId: requireViewer(context).id };
}

const TEXTS = { ...ADMIN_TEXTS, ...MONEY_TEXTS };

/** The outcomes after which the money moves, or won't. After all others nothing has changed. */
const DONE: readonly (keyof typeof TEXTS)[] = [
  "confirmed",
  "declined",
  "deals_kept",
  "retried",
  "refund_retried",
  "refunded",
  "payout_recorded",
  "payment_accepted",
  "payment_dismissed",
];

export async function action(args: Route.ActionArgs) {
  const sent = await readAdminForm(args, proposalForm);
  if (!sent.ok) return sent.answer;
  const { services, admin, form, back } = sent;
  const outcome =
    form.intent === "confirm"
      ? await confirmProposal(services, admin, form, DESK_ACTS)
      : await declineProposal(services, admin, form.id);
  services.drainOutbox();
  return back(DONE.includes(outcome) ? "success" : "error", TEXTS[outcome]);
}

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function Proposals({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <ProposalsView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the proposals" />;
}
