/** The texts of the guided tour on each page. */

export type TourId = "home" | "marketplace" | "shop" | "orders" | "product" | "other";

/** Elements that carry `data-tour="…"`. */
export type Target =
  | "navigation"
  | "marketplace-link"
  | "start-shopping"
  | "search"
  | "categories"
  | "product-card"
  | "basket"
  | "shop-link"
  | "shop-dashboard"
  | "shop-customize"
  | "shop-add-product"
  | "shop-orders-tab"
  | "shop-sales"
  | "shop-figures"
  | "shop-orders"
  | "orders-new"
  | "orders-search"
  | "orders-processing"
  | "orders-update"
  | "orders-message"
  | "orders-details"
  | "orders-in-transit"
  | "product-name"
  | "product-price"
  | "product-description"
  | "product-category"
  | "product-image"
  | "product-submit"
  | "account";

export interface TourStep {
  /**
   * The step highlights the first of these that is visible. A step without targets is shown in the middle of the
   * screen.
   */
  targets: readonly Target[];
  title: string;
  /** "{Press}" becomes Tap or Click. */
  text: string;
  /** For a tall target: the card is next to it if there is room, instead of below it. */
  beside?: true;
}

/**
 * The steps of each tour. A page leaves out the steps whose targets it doesn't show. A shop without orders, for
 * example, doesn't explain the colours of orders.
 */
export const TOURS: Readonly<Record<TourId, readonly TourStep[]>> = {
  home: [
    {
      targets: [],
      title: "Welcome!",
      text: "This is your campus marketplace: buy from students near you and sell to them. Here’s a short tour.",
    },
    {
      targets: ["navigation"],
      title: "Find your way",
      text: "Home, the marketplace and your own shop are here on every page.",
    },
    {
      targets: ["marketplace-link"],
      title: "Student Marketplace",
      text: "Everything students and wholesalers sell on your campus, in one place.",
    },
    {
      targets: ["start-shopping", "marketplace-link"],
      title: "Ready to look around?",
      text: "{Press} Finish to go to the marketplace.",
    },
  ],
  marketplace: [
    {
      targets: ["search"],
      title: "Search",
      text: "Looking for something? Type its name, for instance “calculator”, and pick a suggestion.",
    },
    {
      targets: ["categories"],
      title: "Categories",
      text: "Or browse one category: textbooks, electronics, fashion and more.",
      beside: true,
    },
    {
      targets: ["product-card"],
      title: "Products",
      text: "Each card shows the price, condition and campus. {Press} it for photos, details and the seller.",
      beside: true,
    },
    {
      targets: ["basket"],
      title: "Cart and wishlist",
      text: "Your cart holds what you want to buy. {Press} a heart to save something to your wishlist.",
    },
    {
      targets: ["shop-link"],
      title: "You can sell, too",
      text: "Every student has a shop. {Press} Finish to open yours.",
    },
  ],
  shop: [
    {
      targets: ["shop-dashboard"],
      title: "Your shop",
      text: "Welcome to your dashboard: your products, your orders and what you earn.",
    },
    {
      targets: ["shop-customize"],
      title: "Make it yours",
      text: "Give your shop a name, a banner and a few words about what you sell.",
    },
    {
      targets: ["shop-add-product"],
      title: "Add a product",
      text: "{Press} here to list something. All you need is a photo, a price and a few words.",
    },
    {
      targets: ["shop-orders-tab"],
      title: "Orders",
      text: "When someone pays for one of your products, the order appears here.",
    },
    {
      targets: ["shop-sales", "shop-figures"],
      title: "Sales and revenue",
      text: "See what you’ve sold and earned. {Press} Finish to look at your orders.",
    },
  ],
  orders: [
    {
      targets: ["orders-new", "shop-orders"],
      title: "New orders",
      text: "Orders that need your attention come first. Buyers see each update.",
    },
    {
      targets: ["orders-search"],
      title: "Find an order",
      text: "Got an order number from a buyer? Search for it here.",
    },
    {
      targets: ["orders-processing"],
      title: "Processing",
      text: "Orange orders are paid and waiting for you to hand them over.",
    },
    {
      targets: ["orders-update"],
      title: "Mark it as shipped",
      text: "Update the status when the item is on its way, so the buyer knows.",
    },
    {
      targets: ["orders-message"],
      title: "Write to the buyer",
      text: "Agree on where and when to meet. Your messages stay with the order.",
    },
    {
      targets: ["orders-details"],
      title: "Order details",
      text: "See who bought what, for how much, and how they paid.",
    },
    {
      targets: ["orders-in-transit"],
      title: "In transit",
      text: "Blue orders are on their way. Enter the buyer's handover code when they have it, and we send your money.",
    },
  ],
  product: [
    {
      targets: ["product-name"],
      title: "Name",
      text: "Say what it is in a few words. Include the brand and model, because buyers search for them.",
    },
    { targets: ["product-price"], title: "Price", text: "Use whole Kenyan shillings. A fair price sells fastest." },
    {
      targets: ["product-description"],
      title: "Description",
      text: "Mention its age, what comes with it and every scratch. Honest listings get fewer questions.",
    },
    { targets: ["product-category"], title: "Category", text: "Choose the category where buyers will look for it." },
    {
      targets: ["product-image"],
      title: "Photos",
      text: "Take one in daylight, from the front. The first photo is the one on the card.",
    },
    {
      targets: ["product-submit"],
      title: "Put it up for sale",
      text: "That’s it. Post it for your campus to see.",
    },
  ],
  other: [
    {
      targets: [],
      title: "Let us show you around",
      text: "Here’s where to find things. It’s the same on every page.",
    },
    {
      targets: ["navigation"],
      title: "Find your way",
      text: "Home, the marketplace and your own shop are always here.",
    },
    { targets: ["account"], title: "Your account", text: "Your profile, orders and settings are here." },
  ],
};
