/** What the guided tour says, page by page (accounts spec §2). */

export type TourId = "home" | "marketplace" | "shop" | "orders" | "product" | "other";

/** Places of the interface that carry `data-tour="…"`. */
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
  /** What is lit: the first of these that can be seen. None: the step stands in the middle of the screen. */
  targets: readonly Target[];
  title: string;
  /** "{Press}" becomes Tap or Click. */
  text: string;
  /** Where there is room: beside a tall target rather than below it. */
  beside?: true;
}

/** The steps of each tour. Their numbers are the spec's: 4, 5, 5, 7, 6 and 3. */
export const TOURS: Readonly<Record<TourId, readonly TourStep[]>> = {
  home: [
    {
      targets: [],
      title: "Welcome!",
      text: "This is your campus marketplace: buy from students near you, and sell to them. A short tour shows you around.",
    },
    {
      targets: ["navigation"],
      title: "Find your way",
      text: "Home, the marketplace and your own shop are here on every page.",
    },
    {
      targets: ["marketplace-link"],
      title: "Student Marketplace",
      text: "Everything that students and wholesalers sell on your campus is in one place.",
    },
    {
      targets: ["start-shopping", "marketplace-link"],
      title: "Ready to look around?",
      text: "{Press} Finish, and we go to the marketplace together.",
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
      text: "Or look through one kind of thing: textbooks, electronics, fashion and more.",
      beside: true,
    },
    {
      targets: ["product-card"],
      title: "Products",
      text: "Each card tells price, condition and campus. {Press} it for photos, details and the seller.",
      beside: true,
    },
    {
      targets: ["basket"],
      title: "Cart and wishlist",
      text: "What you want to buy waits in the cart. {Press} a heart to keep something for later in the wishlist.",
    },
    {
      targets: ["shop-link"],
      title: "You can sell, too",
      text: "Every student has a shop. {Press} Finish, and we open yours.",
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
      text: "{Press} here to list something: a photo, a price, a few words, and it is for sale.",
    },
    {
      targets: ["shop-orders-tab"],
      title: "Orders",
      text: "As soon as somebody has paid for a product of yours, the order shows here.",
    },
    {
      targets: ["shop-sales", "shop-dashboard"],
      title: "Sales and revenue",
      text: "How much you sold and earned, at a glance. {Press} Finish, and we look at the orders.",
    },
  ],
  orders: [
    {
      targets: ["orders-new", "shop-orders"],
      title: "New orders",
      text: "Orders that wait for you come first. Students see when you act on them.",
    },
    {
      targets: ["orders-search", "shop-orders"],
      title: "Find an order",
      text: "A buyer tells you the order’s ID? Type it here.",
    },
    {
      targets: ["orders-processing", "shop-orders"],
      title: "Processing",
      text: "Paid and waiting for you to hand it over: these orders are orange.",
    },
    {
      targets: ["orders-update", "shop-orders"],
      title: "Say when it is shipped",
      text: "Update the status as soon as the item is on its way, so that the buyer knows.",
    },
    {
      targets: ["orders-message", "shop-orders"],
      title: "Write to the buyer",
      text: "Agree on where and when to meet, in a message that stays with the order.",
    },
    {
      targets: ["orders-details", "shop-orders"],
      title: "Order details",
      text: "Who bought what, for how much, and how it was paid.",
    },
    {
      targets: ["orders-in-transit", "shop-orders"],
      title: "In transit",
      text: "Orders on their way are blue. Once delivered, your money is sent to your phone.",
    },
  ],
  product: [
    {
      targets: ["product-name"],
      title: "Name",
      text: "Say what it is in a few words, with brand and model: buyers search for them.",
    },
    { targets: ["product-price"], title: "Price", text: "In whole Kenyan shillings. A fair price sells fastest." },
    {
      targets: ["product-description"],
      title: "Description",
      text: "Tell its age, what comes with it, and every scratch. Honest listings get fewer questions.",
    },
    { targets: ["product-category"], title: "Category", text: "Choose where buyers find it." },
    {
      targets: ["product-image"],
      title: "Photos",
      text: "Take one in daylight, from the front. The first photo is the one on the card.",
    },
    {
      targets: ["product-submit"],
      title: "Put it up for sale",
      text: "That is all. Send it off, and your campus can see it.",
    },
  ],
  other: [
    {
      targets: [],
      title: "Let us show you around",
      text: "Three things that are good to know, on this page and on every other.",
    },
    {
      targets: ["navigation"],
      title: "Find your way",
      text: "Home, the marketplace and your own shop are always here.",
    },
    { targets: ["account"], title: "Your account", text: "Your profile, your orders and your settings." },
  ],
};
