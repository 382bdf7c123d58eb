/** What public pages call a seller. Everybody can open them, so they show no last name, phone number or email. */
import { publicName } from "#app/safety/public-text-rules.ts";
import { firstName } from "#app/accounts/trust/name-rules.ts";

interface SellerNames {
  shopName: string | null;
  fullName: string | null;
}

/** The shop's name, or the person's first name. */
export function publicSellerName(names: SellerNames): string {
  return publicName(names.shopName ?? "") || personName(names);
}

/** The shop's name, or "Grace's shop". */
export function publicShopTitle(names: SellerNames): string {
  return publicName(names.shopName ?? "") || `${personName(names)}'s shop`;
}

function personName({ fullName }: SellerNames): string {
  return publicName(firstName(fullName)) || "Seller";
}
