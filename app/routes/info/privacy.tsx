import type { Route } from "./+types/privacy.ts";
import { listIssuers } from "#app/accounts/login/find-issuers.server.ts";
import { servicesContext } from "#app/request/context.ts";
import { PrivacyView } from "#app/screens/privacy/privacy-view.tsx";
import { processorsOf } from "#app/screens/privacy/processor-rules.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta() {
  return pageMeta("Privacy Policy");
}

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const { controller, supportEmail, mailCarrier, push } = services;
  const issuers = await listIssuers(services);
  const google = services.issuers.google?.key;
  const processors = processorsOf({
    mail: mailCarrier,
    hasPush: push !== null,
    hasGoogle: google !== undefined,
    hasUniversity: issuers.some(({ key }) => key !== google),
  });
  return { controller, supportEmail, processors };
}

export default function Privacy({ loaderData }: Route.ComponentProps) {
  return <PrivacyView {...loaderData} />;
}
