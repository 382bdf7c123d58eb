import { OWN_LABELS } from "#app/platform/label-rules.ts";

/** The kind of account, as shown on the profile and in My Shop. */
export function accountTypeLabel(account: { isSeller: boolean; isPro: boolean }): string {
  if (!account.isSeller) return OWN_LABELS.badges.buyer;
  return account.isPro ? OWN_LABELS.badges.pro : OWN_LABELS.badges.seller;
}
