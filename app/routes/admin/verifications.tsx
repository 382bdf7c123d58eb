import { z } from "zod";
import type { Route } from "./+types/verifications.ts";
import { VerificationsView } from "#app/admin/people/verifications-view.tsx";
import { passAdminForm } from "#app/team/form-answer.ts";
import { verificationForm } from "#app/admin/people/people-forms.ts";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import { decideVerification, listVerifications } from "#app/admin/people/verifications.server.ts";
import { servicesContext } from "#app/request/context.ts";
import { readAdminForm } from "#app/screens/actions/admin-form.server.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Verifications");
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

export async function action(args: Route.ActionArgs) {
  const sent = await readAdminForm(args, verificationForm);
  if (!sent.ok) return sent.answer;
  const { services, admin, form, back } = sent;
  const done = await decideVerification(
    services,
    admin,
    form.id,
    form.intent === "approve" ? { approve: true, seen: form.seen } : { approve: false, reason: form.reason },
  );
  if (!done) return back("error", ADMIN_TEXTS.stale);
  services.drainOutbox();
  return back("success", form.intent === "approve" ? ADMIN_TEXTS.approved : ADMIN_TEXTS.rejected);
}

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function Verifications({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <VerificationsView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the documents" />;
}
