/** Names of the flags that the browser keeps. They only control what is shown, so nothing has to trust them. */
import { brand } from "#app/ui/page/brand.ts";

export const FLAG_NEW_USER = "isNewUser";
/** The value of `isNewUser` for somebody on the way to another screen: the tour waits until they open Home. */
export const NEW_USER_WAITS = "until-home";
export const FLAG_LOGGED_IN_BEFORE = "hasLoggedInBefore";
export const FLAG_TUTORIAL_COMPLETED = `${brand.name.toLowerCase()}_tutorial_completed`;
export const FLAG_TUTORIAL_PROGRESS = "tutorial-progress";
export const FLAG_SHOP_TUTORIAL_COMPLETED = "my-shop-tutorial-completed";
export const FLAG_ORDERS_TUTORIAL_PENDING = "orders-tutorial-pending";
export const FLAG_SAFETY_TIPS_READ = "safety-tips-read";
/** The seller terms have opened by themselves. */
export const FLAG_TERMS_SEEN = "hasSeenToS";
export const FLAG_TERMS_BANNER_DISMISSED = "hasDismissedToSBanner";
/** Somebody has said no to installing the app. */
export const FLAG_INSTALL_DISMISSED = "install-dismissed";
/** Somebody has been asked here whether they want notifications on this device. */
export const FLAG_ASKED_FOR_PUSH = "asked-for-push";
/** An admin has switched off the number keys that decide a case. */
export const FLAG_NUMBER_KEYS_OFF = "number-keys-off";
/**
 * In session storage between a restart of the tour and the reload that follows: the time origin of the page before the
 * reload.
 */
export const FLAG_TUTORIAL_RESTARTED = "tutorial-restarted";
