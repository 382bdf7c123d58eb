/** The name of a shop that opens with its first listing. Its owner can change it in Shop Settings. */
export function firstShopName(sellerName: string): string {
  const [first] = sellerName.trim().split(/\s+/);
  return first ? `${first}'s Shop` : "My Shop";
}
