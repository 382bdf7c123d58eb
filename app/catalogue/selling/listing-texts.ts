/**
 * What sellers read about their listings, also when no answer comes from the server. In a file of its own, so that the
 * feed need not load the rules of the form.
 */
export const LISTING_TEXTS = {
  add_failed: "Failed to add product",
  update_failed: "Failed to update product",
  status_failed: "Failed to update product status",
  stock_failed: "Failed to update the stock",
  delete_failed: "Failed to delete product",
  delete_question: "Are you sure you want to delete this product? This action cannot be undone.",
} as const;
