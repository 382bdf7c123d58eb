/** What the server answers sellers about their listings. In a file of its own, because browsers don't need it. */
export const LISTING_ANSWERS = {
  added: "It's live: buyers can see it now",
  updated: "Changes saved",
  meanwhile: "This listing has changed meanwhile. Please look at it again.",
  changed: "Your listing is being changed in another place. Please try again.",
  posted: "You've already posted this listing. Open it to change it, or list what you see here as a new one.",
  wholesale: "Only verified wholesalers can set a smallest order, price steps and a SKU.",
  sku: "Another of your listings has this SKU",
  serial_kept: {
    serial: "Our team keeps this listing off for now. Until it is back, its serial number stays. Leave this empty.",
    type: "Our team keeps this listing off for now. Until it is back, it stays something with a serial number.",
  },
  type: "This kind of thing is no longer on our list. Choose another one.",
  post_read: "We read this from the post in your name field. Look at it, then add the product.",
  phone: "Please add your M-Pesa number first, so we know where to send your money.",
  too_many: "You've listed too many products today. Please try again tomorrow.",
  status: {
    active: "It's on sale: buyers can see it",
    sold: "Marked as sold: nobody can buy it now",
    out_of_stock: "Marked as out of stock: nobody can buy it now",
  },
  hidden: "Saved. Buyers can't see this listing now: its page says why.",
  needs_stock: "You have none left. Enter how many you have to put it back on sale.",
  stock: "Stock updated",
  deleted: "Listing deleted",
} as const;
