/**
 * The rules of the shop settings. The browser loads them when the form is sent, because the rules of names are long.
 */
import { nameError } from "#app/accounts/trust/name-rules.ts";
import { refuseTimes, WEEKDAYS } from "./hours-rules.ts";
import {
  detailsOf,
  SHOP_TEXTS,
  type ShopDetails,
  type ShopErrors,
  shopTexts,
  type ShopValues,
} from "./shop-form-rules.ts";

/** The values to save, or the error of each field. */
export function readShop(values: ShopValues): { ok: true; details: ShopDetails } | { ok: false; errors: ShopErrors } {
  const errors: ShopErrors = {};
  const error = values.shopName.trim() === "" ? SHOP_TEXTS.name : nameError(values.shopName, "shop");
  if (error) errors.shopName = error;
  if (values.hoursKind === "week") {
    for (const day of WEEKDAYS) {
      const refusal = values.days[day].open ? refuseTimes(values.days[day]) : null;
      if (refusal) errors[`from${day}`] = refusal;
    }
  }
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  return { ok: true, details: detailsOf(shopTexts(values)) };
}
