import { index, layout, type RouteConfig, route } from "@react-router/dev/routes";

/** Members and visitors have different screens at some addresses. */
export default [
  index("routes/index.ts"),
  layout("routes/visitor/layout.tsx", [
    route("auth", "routes/visitor/sign-in.tsx"),
    route("auth/signup", "routes/visitor/sign-up.tsx"),
    route("auth/check-email", "routes/visitor/check-email.tsx"),
    route("auth/forgot", "routes/visitor/forgot-password.tsx"),
    route("auth/google", "routes/visitor/google.ts"),
    route("auth/google/callback", "routes/visitor/google-callback.ts"),
    route("auth/*", "routes/visitor/sign-in.tsx", { id: "auth-other" }),
  ]),
  layout("routes/shell.tsx", [
    route("seller/:sellerId", "routes/seller.tsx"),
    route("support", "routes/info/support.tsx"),
    route("terms", "routes/info/terms.tsx"),
    route("privacy", "routes/info/privacy.tsx"),
    layout("routes/member/layout.tsx", memberScreens()),
  ]),
  layout("routes/admin/layout.tsx", [
    route("admin", "routes/admin/index.ts"),
    route("admin/codes", "routes/admin/codes.tsx"),
    route("admin/verifications", "routes/admin/verifications.tsx"),
    route("admin/issues", "routes/admin/issues.tsx"),
    route("admin/issues/:kind/:id", "routes/admin/issue.tsx"),
    route("admin/money", "routes/admin/money.tsx"),
    route("admin/people", "routes/admin/people.tsx"),
    route("admin/categories", "routes/admin/categories.tsx"),
  ]),
  route("auth/reset", "routes/reset-password.tsx"),
  route("auth/callback", "routes/auth-callback.tsx"),
  route("complete-profile", "routes/complete-profile.tsx"),
  route("categories", "routes/new-category.ts"),
  route("logout", "routes/logout.tsx"),
  route("*", "routes/elsewhere.ts"),
] satisfies RouteConfig;

function memberScreens() {
  return [
    route("home", "routes/member/home.tsx"),
    route("studentmarketplace", "routes/member/marketplace.tsx"),
    route("studentmarketplace/shops", "routes/member/shops.tsx"),
    route("search", "routes/member/search.tsx"),
    route("search/suggestions", "routes/member/search-suggestions.ts"),
    route("category", "routes/member/categories.tsx"),
    route("category/:categoryName", "routes/member/category.tsx"),
    route("product/:productId", "routes/member/product.tsx"),
    route("product/:productId/edit", "routes/member/edit-product.tsx"),
    route("product/:productId/manage", "routes/member/manage-product.ts"),
    route("add-product", "routes/member/add-product.tsx"),
    route("cart", "routes/member/cart.tsx"),
    route("wishlist", "routes/member/wishlist.tsx"),
    route("checkout/:orderId", "routes/member/checkout.tsx"),
    route("order-confirmation/:orderId", "routes/member/order-confirmation.tsx"),
    route("orders/:orderId", "routes/member/order.tsx"),
    route("seller/orders/:itemId", "routes/member/seller-order.tsx"),
    route("problems/:itemId", "routes/member/problem.tsx"),
    route("myshop", "routes/member/my-shop.tsx"),
    route("myshop/settings", "routes/member/shop-settings.tsx"),
    route("subscription", "routes/member/subscription.tsx"),
    route("become-seller", "routes/member/become-seller.tsx"),
    route("profile", "routes/member/profile.tsx"),
    route("settings", "routes/member/settings.tsx"),
    route("conversations/safety", "routes/member/conversation-safety.ts"),
  ];
}
