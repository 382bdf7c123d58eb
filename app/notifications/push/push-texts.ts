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

/**
 * The button of the question, by what its reader waits for: an answer, a buyer, or the handover of what they have
 * ordered.
 */
export const ASK_TEXTS = {
  message: "Tell me when they answer",
  listing: "Tell me when somebody writes or buys",
  order: "Tell me when the seller writes",
} as const;
export type AskReason = keyof typeof ASK_TEXTS;
