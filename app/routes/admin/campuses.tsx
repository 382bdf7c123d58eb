import type { Route } from "./+types/campuses.ts";
import { readSemester } from "#app/accounts/profile/semester.ts";
import { campusForm } from "#app/admin/catalogue/catalogue-forms.ts";
import { CAMPUS_TEXTS } from "#app/admin/catalogue/campus-texts.ts";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import {
  addCampus,
  addPoint,
  editPoint,
  hidePoint,
  openCampusesPage,
  removeCampus,
  setPointsOnly,
  setSemester,
} from "#app/admin/catalogue/campuses.server.ts";
import { CampusesView } from "#app/admin/catalogue/campuses-view.tsx";
import { passAdminForm } from "#app/team/form-answer.ts";
import { servicesContext } from "#app/request/context.ts";
import { readAdminForm } from "#app/screens/actions/admin-form.server.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Campuses");
}

export function loader({ context }: Route.LoaderArgs) {
  return openCampusesPage(context.get(servicesContext).db);
}

/** The message after each action. */
const DONE = {
  "add-campus": CAMPUS_TEXTS.campus_added,
  "remove-campus": CAMPUS_TEXTS.campus_removed,
  "add-point": CAMPUS_TEXTS.point_added,
  "edit-point": CAMPUS_TEXTS.point_saved,
  "hide-point": CAMPUS_TEXTS.point_hidden,
  "show-point": CAMPUS_TEXTS.point_shown,
} as const;

export async function action(args: Route.ActionArgs) {
  const sent = await readAdminForm(args, campusForm);
  if (!sent.ok) return sent.answer;
  const { services, admin, form, refuse, back } = sent;
  if (form.intent === "add-campus") {
    const added = await addCampus(services, admin, form.name);
    if (added.ok) return back("success", DONE[form.intent]);
    if (added.code === "stale") return back("error", ADMIN_TEXTS.stale);
    return refuse({ name: added.code === "listed" ? CAMPUS_TEXTS.campus_listed : CAMPUS_TEXTS.campus_full }, 409);
  }
  if (form.intent === "remove-campus") {
    const removed = await removeCampus(services, admin, form.id);
    return removed.ok ? back("success", DONE[form.intent]) : back("error", CAMPUS_TEXTS.campus_used);
  }
  if (form.intent === "set-semester") {
    const read = readSemester(form, services.now());
    if (!read.ok) return refuse({ [read.field]: CAMPUS_TEXTS[`semester_${read.error}`] }, 400);
    const set = await setSemester(services, admin, form.id, { seen: form.seen, semester: read.semester });
    if (!set.ok) return back("error", ADMIN_TEXTS.stale);
    return back("success", read.semester ? CAMPUS_TEXTS.semester_set : CAMPUS_TEXTS.semester_none);
  }
  if (form.intent === "set-points-only" || form.intent === "end-points-only") {
    const isOn = form.intent === "set-points-only";
    const set = await setPointsOnly(services, admin, form.id, isOn);
    if (set.ok) return back("success", isOn ? CAMPUS_TEXTS.points_only_set : CAMPUS_TEXTS.points_only_ended);
    return set.code === "no_points" ? refuse({ form: CAMPUS_TEXTS.no_points }, 409) : back("error", ADMIN_TEXTS.stale);
  }
  const result =
    form.intent === "add-point"
      ? await addPoint(services, admin, form.id, form)
      : form.intent === "edit-point"
        ? await editPoint(services, admin, form.id, { seen: form.seen, point: form })
        : await hidePoint(services, admin, form.id, form.intent === "hide-point");
  if (result.ok) return back("success", DONE[form.intent]);
  if (result.code === "name_taken") return refuse({ name: CAMPUS_TEXTS.name_taken }, 409);
  return back("error", result.code === "last_point" ? CAMPUS_TEXTS.last_point : ADMIN_TEXTS[result.code]);
}

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function Campuses({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <CampusesView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the campuses" />;
}
