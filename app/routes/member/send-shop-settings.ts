import { redirect } from "react-router";
import type { Route } from "./+types/send-shop-settings.ts";
import { shopSettingsAction } from "#app/screens/actions/shop-settings-action.server.ts";
import { readDialogForm, writeDialogForm } from "#app/screens/my-shop/dialog-form.ts";
import type { ShopAnswer } from "#app/shops/components/shop-form.tsx";
import { SHOP_TEXTS, shopValues } from "#app/shops/shop-form-rules.ts";
import { SHOP_SETTINGS_PATH } from "#app/shops/shop-settings-path.ts";
import { isSent, type TypedShop } from "#app/shops/typed-shop.ts";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { toast } from "#app/ui/feedback/toast.ts";

/** This address has no page. */
export function loader() {
  return redirect(SHOP_SETTINGS_PATH);
}

/** Takes the forms of a shop's settings and of its holiday from any page that shows them. */
export const action = shopSettingsAction;

/**
 * A lost answer keeps the form. Saving again is safe. Its owner reads what became of it, also where they have closed
 * the form's dialog meanwhile. The dialog keeps what was typed after the form was sent.
 */
export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return passOn(
    async () => {
      const sent = await request.clone().formData();
      const answer = await serverAction();
      if (!("ok" in answer)) return answer;
      const typed = readDialogForm(SHOP_SETTINGS_PATH) as TypedShop | null;
      if (answer.ok && typed && isSent(typed, sent)) writeDialogForm(SHOP_SETTINGS_PATH, null);
      toast[answer.ok ? "success" : "error"](answer.message);
      return answer;
    },
    (): ShopAnswer => {
      toast.error(SHOP_TEXTS.failed);
      return { ok: false, message: SHOP_TEXTS.failed, errors: {}, values: shopValues(null) };
    },
  );
}
