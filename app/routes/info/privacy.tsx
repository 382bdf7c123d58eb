import type { Route } from "./+types/privacy.ts";
import { servicesContext } from "#app/request/context.ts";
import { PrivacyView } from "#app/screens/privacy/privacy-view.tsx";
import { processorsOf } from "#app/screens/privacy/processor-rules.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta() {
  return pageMeta("Privacy Policy");
}

export function loader({ context }: Route.LoaderArgs) {
  const { controller, supportEmail, mailCarrier, push, google } = context.get(servicesContext);
  const processors = processorsOf({ mail: mailCarrier, hasPush: push !== null, hasGoogle: google !== null });
  return { controller, supportEmail, processors };
}

export default function Privacy({ loaderData }: Route.ComponentProps) {
  return <PrivacyView {...loaderData} />;
}
