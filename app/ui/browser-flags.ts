/** Names of the small flags that accounts spec §3 keeps in the browser. They steer the guided tour and nothing that must be trusted. */
import { brand } from "./brand.ts";

export const FLAG_NEW_USER = "isNewUser";
export const FLAG_LOGGED_IN_BEFORE = "hasLoggedInBefore";
export const FLAG_TUTORIAL_COMPLETED = `${brand.name.toLowerCase()}_tutorial_completed`;
export const FLAG_TUTORIAL_PROGRESS = "tutorial-progress";
export const FLAG_SHOP_TUTORIAL_COMPLETED = "my-shop-tutorial-completed";
export const FLAG_ORDERS_TUTORIAL_PENDING = "orders-tutorial-pending";
