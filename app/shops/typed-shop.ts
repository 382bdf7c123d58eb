import type { ProductImage } from "#app/db/product-image.ts";
import { readShopForm, shopTexts, type ShopValues } from "./shop-form-rules.ts";

/** What a form that isn't saved holds, without its files. */
export interface TypedShop {
  fields: [name: string, value: string][];
  /** The photos, which the fields have only by their keys. */
  banner: readonly ProductImage[];
  logo: readonly ProductImage[];
}

export function typedValues({ fields }: TypedShop): ShopValues & { opened: string } {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return { ...readShopForm(form), opened: String(form.get("opened") ?? "") };
}

/** Whether `sent` says the same. More may have been typed since. */
export function isSent(typed: TypedShop, sent: FormData): boolean {
  return JSON.stringify(shopTexts(typedValues(typed))) === JSON.stringify(shopTexts(readShopForm(sent)));
}
