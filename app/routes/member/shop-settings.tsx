import type { Route } from "./+types/shop-settings.ts";
import { failInPlace } from "#app/catalogue/browse/deferred.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { ShopForm } from "#app/shops/components/shop-form.tsx";
import { findShopEditor } from "#app/shops/shop-settings.server.ts";
import { useLateNavigate } from "#app/ui/browser/use-late-navigate.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";
import { shopSettingsAction } from "#app/screens/actions/shop-settings-action.server.ts";

export function meta() {
  return pageMeta("Shop Settings");
}

export function loader({ context }: Route.LoaderArgs) {
  return findShopEditor(context.get(servicesContext), requireViewer(context).id);
}

/** My Shop opens this form in a dialog. If it can't be loaded, My Shop stays as it is. */
export function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return serverLoader().catch(failInPlace);
}

/** Takes the forms from browsers without scripts (send-shop-settings.ts has the others). */
export const action = shopSettingsAction;

export default function ShopSettings({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  const navigate = useLateNavigate();
  if ("failed" in loaderData) return <Failure />;
  return (
    <div className="page page--reading stack">
      <PageHeader title="Shop Settings" back={{ to: "/myshop", label: "My Shop" }} />
      <ShopForm
        editor={loaderData}
        answer={answer && "ok" in answer ? answer : null}
        holiday={answer && "holiday" in answer ? answer : null}
        onSaved={(what) => what === "shop" && navigate("/myshop")}
      />
    </div>
  );
}

export function ErrorBoundary() {
  return <Failure />;
}

function Failure() {
  return <ScreenFailed title="We couldn't load your shop" />;
}
