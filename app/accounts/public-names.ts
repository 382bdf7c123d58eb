/** What public pages call a seller. Everybody can open them, so they never show a last name. */
import { firstName } from "./name-rules.ts";

interface SellerNames {
  shopName: string | null;
  fullName: string | null;
}

/** The shop's name, or the person's first name. */
export function publicSellerName({ shopName, fullName }: SellerNames): string {
  return shopName?.trim() || firstName(fullName) || "Seller";
}

/** The shop's name, or "Grace's shop". */
export function publicShopTitle({ shopName, fullName }: SellerNames): string {
  return shopName?.trim() || `${firstName(fullName) || "Seller"}'s shop`;
}
