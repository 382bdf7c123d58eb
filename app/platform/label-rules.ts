/**
 * What our own filters and badges say. They stand beside names that people choose, so no name may say the same: a label
 * that is defined here is refused as one.
 */
export const OWN_LABELS = {
  filters: { wholesale: "Wholesale", verified: "Verified sellers" },
  sorts: { "price-asc": "Price: low to high", "price-desc": "Price: high to low", newest: "Newest first" },
  conditions: { new: "New", like_new: "Used - Like New", good: "Used - Good", fair: "Used - Fair" },
  statuses: { active: "Active", sold: "Sold", out_of_stock: "Out of Stock", unconfirmed: "Not Confirmed" },
  levels: { email: "Email confirmed", student: "Verified student", business: "Verified business" },
  badges: { featured: "Featured", pro: "Pro Seller", seller: "Seller", buyer: "Buyer", unrated: "New seller" },
} as const;
