import { z } from "zod";
import type { Route } from "./+types/verifications.ts";
import { VerificationsView } from "#app/admin/components/verifications-view.tsx";
import { passDeskForm } from "#app/admin/desk-answer.ts";
import { verificationForm } from "#app/admin/desk-forms.ts";
import { backToDesk, readDeskForm } from "#app/admin/desk.server.ts";
import { DESK_TEXTS } from "#app/admin/rules.ts";
import { decideVerification, listVerifications } from "#app/admin/verifications.server.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { pageTitle } from "#app/ui/page-title.ts";
import { ErrorState } from "#app/ui/state.tsx";

export function meta() {
  return [{ title: pageTitle("Verifications") }];
}

const show = z.enum(["pending", "approved", "rejected"]).catch("pending");

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const filter = show.parse(searchParams.get("show"));
  const after = searchParams.get("after");
  return {
    ...(await listVerifications(context.get(servicesContext).db, filter, after)),
    filter,
    begun: after !== null,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const sent = await readDeskForm(services, viewer, request, verificationForm);
  if (!sent.ok) return sent.answer;
  const { form } = sent;
  const done = await decideVerification(
    services,
    viewer,
    form.id,
    form.intent === "approve" ? { approve: true, seen: form.seen } : { approve: false, reason: form.reason },
  );
  if (!done) return backToDesk(services, request, { kind: "error", text: DESK_TEXTS.stale });
  services.drainOutbox();
  return backToDesk(services, request, {
    kind: "success",
    text: form.intent === "approve" ? DESK_TEXTS.approved : DESK_TEXTS.rejected,
  });
}

export const clientAction = (args: Route.ClientActionArgs) => passDeskForm(args);

export default function Verifications({ loaderData, actionData }: Route.ComponentProps) {
  return <VerificationsView {...loaderData} answer={actionData ?? null} />;
}

export function ErrorBoundary() {
  return (
    <div className="page">
      <ErrorState
        level={1}
        title="The documents could not be loaded"
        sentence="Please check your connection and try again."
      />
    </div>
  );
}
