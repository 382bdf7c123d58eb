/** What people read about notifications on their devices. */
export const PUSH_TEXTS = {
  signed_out: "Log in to get notifications on this device",
  unknown_service: "This browser can't get our notifications. Try Chrome, Firefox, Edge or Safari.",
  off: "Notifications on devices are switched off at the moment",
  too_many: "Too many tries. Please wait a minute.",
  on: "Notifications are on for this device",
  removed: "That device gets no more notifications",
  failed: "Notifications couldn't be turned on. Check your connection and try again.",
  blocked: "Your browser blocks our notifications. Allow them in its settings for this site, then try again.",
  install:
    "On an iPhone or iPad, add Chuoni to your Home Screen first: tap Share, then Add to Home Screen. Open it from there and come back to this page.",
  unsupported: "This browser can't show notifications. Try Chrome, Firefox, Edge or Safari.",
} as const;

/** Why it is worth it, after what somebody has just done. */
export const ASK_TEXTS = {
  message: "Get a notification on this device when they answer?",
  listing: "Get a notification on this device when somebody writes or buys?",
  sale: "Get a notification on this device when the buyer writes?",
} as const;
