import type { Route } from "./+types/admins.ts";
import { adminsForm } from "#app/admin/people/people-forms.ts";
import { giveRole, listAdmins, resetSecondStep, type RoleResult, setRole } from "#app/admin/people/admins.server.ts";
import { ROLE_TEXTS } from "#app/admin/people/role-texts.ts";
import { AdminsView } from "#app/admin/people/admins-view.tsx";
import { passAdminForm } from "#app/team/form-answer.ts";
import type { Viewer } from "#app/accounts/viewer.server.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";
import { readAdminForm } from "#app/screens/actions/admin-form.server.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";
import type { z } from "zod";

export function meta() {
  return pageMeta("Admins");
}

export async function loader({ context }: Route.LoaderArgs) {
  return { ...(await listAdmins(context.get(servicesContext))), viewerId: requireViewer(context).id };
}

export async function action(args: Route.ActionArgs) {
  const sent = await readAdminForm(args, adminsForm);
  if (!sent.ok) return sent.answer;
  const { services, admin, form, refuse, back } = sent;
  const result = await decide(services, admin, form);
  if (result === "no_account" || result === "has_role" || result === "own")
    return refuse({ email: ROLE_TEXTS[result] }, 409);
  if (result === "same_role") return refuse({ role: ROLE_TEXTS.same_role }, 409);
  if (result === "owner_stays" && form.intent === "reset") return refuse({ email: ROLE_TEXTS.owner_reset }, 409);
  if (result === "last_owner" || result === "owner_stays") return refuse({ form: ROLE_TEXTS[result] }, 409);
  services.drainOutbox();
  return back(result === "done" ? "success" : "error", result === "done" ? ROLE_TEXTS[form.intent] : ROLE_TEXTS.stale);
}

function decide(services: Services, viewer: Viewer, form: z.infer<typeof adminsForm>): Promise<RoleResult> {
  switch (form.intent) {
    case "give":
      return giveRole(services, viewer, form.email, form.role);
    case "change":
      return setRole(services, viewer, { userId: form.id, was: form.was, role: form.role });
    case "take":
      return setRole(services, viewer, { userId: form.id, was: form.was, role: null });
    case "reset":
      return resetSecondStep(services, viewer, form.email);
  }
}

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function Admins({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <AdminsView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the admins" />;
}
