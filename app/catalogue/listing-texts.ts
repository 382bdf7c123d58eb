/** What sellers read about their listings. In a file of its own, so that the feed need not load the rules of the form. */
export const LISTING_TEXTS = {
  added: "Product added successfully",
  updated: "Product updated successfully",
  add_failed: "Failed to add product",
  update_failed: "Failed to update product",
  posted: "You've already posted this listing. Open it to make changes.",
  phone: "Please add your M-Pesa number first, so we know where to send your money.",
  too_many: "You've listed too many products today. Please try again tomorrow.",
  status: "Product status updated successfully",
  status_failed: "Failed to update product status",
  needs_stock: "You have none left. Enter how many you have, and it's for sale again.",
  stock: "Stock updated",
  stock_failed: "Failed to update the stock",
  deleted: "Product deleted successfully",
  delete_failed: "Failed to delete product",
  delete_question: "Are you sure you want to delete this product? This action cannot be undone.",
} as const;
