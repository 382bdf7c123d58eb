import type { Route } from "./+types/universities.ts";
import { issuerPath } from "#app/accounts/login/account-rules.ts";
import { readIssuerUrl, secretName } from "#app/accounts/login/issuer-rules.ts";
import { universityForm } from "#app/admin/people/people-forms.ts";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import { UniversitiesView } from "#app/admin/people/universities-view.tsx";
import { passAdminForm } from "#app/team/form-answer.ts";
import {
  addLogin,
  addUniversity,
  listUniversities,
  removeLogin,
  removeUniversity,
  turnLogin,
} from "#app/admin/people/universities.server.ts";
import { DOMAIN_TEXTS, LOGIN_TEXTS } from "#app/admin/people/university-rules.ts";
import { servicesContext } from "#app/request/context.ts";
import { readAdminForm } from "#app/screens/actions/admin-form.server.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Universities");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, issuers, origin } = context.get(servicesContext);
  const search = (new URL(request.url).searchParams.get("q") ?? "").trim().slice(0, 60);
  const { rows, ...rest } = await listUniversities(db, search);
  const shown = rows.map((row) => ({
    ...row,
    callback: `${origin}${issuerPath(row.domain, "callback")}`,
    secret: { name: secretName(row.domain), isSet: issuers.hasSecret(row.domain) },
  }));
  return { ...rest, rows: shown, search };
}

export async function action(args: Route.ActionArgs) {
  const sent = await readAdminForm(args, universityForm);
  if (!sent.ok) return sent.answer;
  const { services, admin, form, refuse, back } = sent;
  switch (form.intent) {
    case "add": {
      const result = await addUniversity(services, admin, form);
      if (!result.ok && result.code === "listed") return refuse({ domain: DOMAIN_TEXTS.listed }, 400);
      return result.ok ? back("success", DOMAIN_TEXTS.added) : back("error", ADMIN_TEXTS.stale);
    }
    case "remove": {
      const result = await removeUniversity(services, admin, form.id);
      if (!result.ok && result.code === "has_login") return refuse({ form: DOMAIN_TEXTS.has_login }, 409);
      return result.ok ? back("success", DOMAIN_TEXTS.removed) : back("error", ADMIN_TEXTS.stale);
    }
    case "add-login": {
      const url = readIssuerUrl(form.issuer, services.issuers.mayAsk);
      if (url === null) return refuse({ issuer: LOGIN_TEXTS.issuer }, 400);
      const { id: domain, clientId } = form;
      const campusId = form.campus === "" ? null : Number(form.campus);
      const issuer = { key: domain, name: domain, url, clientId, domain, campus: null };
      try {
        await services.issuers.open(issuer).start();
      } catch (error) {
        services.log({ event: "issuer_unreachable", issuer: domain, error: String(error) });
        return refuse({ issuer: LOGIN_TEXTS.unreachable }, 400);
      }
      const result = await addLogin(services, admin, domain, { issuer: url, clientId, campusId });
      if (!result.ok && result.code === "listed") return refuse({ form: LOGIN_TEXTS.listed }, 409);
      return result.ok ? back("success", LOGIN_TEXTS.added) : back("error", ADMIN_TEXTS.stale);
    }
    case "turn-on":
    case "turn-off": {
      const isOn = form.intent === "turn-on";
      const result = await turnLogin(services, admin, form.id, isOn);
      return result.ok ? back("success", LOGIN_TEXTS[isOn ? "on" : "off"]) : back("error", ADMIN_TEXTS.stale);
    }
    case "remove-login": {
      const result = await removeLogin(services, admin, form.id);
      return result.ok ? back("success", LOGIN_TEXTS.removed) : back("error", ADMIN_TEXTS.stale);
    }
  }
}

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function Universities({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <UniversitiesView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the universities" />;
}
