import type { Route } from "./+types/proposals.ts";
import { proposalForm } from "#app/admin/admin-forms.ts";
import { backToAdminPage, readAdminForm } from "#app/admin/admin-pages.server.ts";
import { ADMIN_TEXTS } from "#app/admin/admin-rules.ts";
import { ProposalsView } from "#app/admin/components/proposals-view.tsx";
import { passAdminForm } from "#app/admin/form-answer.ts";
import { confirmProposal, declineProposal, listProposals, type ProposalOutcome } from "#app/admin/proposals.server.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Proposals");
}

export async function loader({ context }: Route.LoaderArgs) {
  return { ...(await listProposals(context.get(servicesContext))), viewerId: requireViewer(context).id };
}

/** The outcomes after which the money moves, or won't. After all others nothing has changed. */
const DONE: readonly ProposalOutcome[] = [
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

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const sent = await readAdminForm(services, viewer, request, proposalForm);
  if (!sent.ok) return sent.answer;
  const { form } = sent;
  const outcome =
    form.intent === "confirm"
      ? await confirmProposal(services, viewer, form)
      : await declineProposal(services, viewer, form.id);
  services.drainOutbox();
  return backToAdminPage(services, request, {
    kind: DONE.includes(outcome) ? "success" : "error",
    text: ADMIN_TEXTS[outcome],
  });
}

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function Proposals({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <ProposalsView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the proposals" />;
}
