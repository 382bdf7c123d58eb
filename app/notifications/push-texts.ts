/** What people read about notifications on their devices. */
export const PUSH_TEXTS = {
  signed_out: "Log in to get notifications on this device",
  unknown_service: "This browser's notifications can't be used here. Try Chrome, Firefox, Edge or Safari.",
  off: "Notifications on devices are switched off at the moment",
  too_many: "Too many tries. Please wait a minute.",
  on: "Notifications are on for this device",
  removed: "That device gets no more notifications",
  failed: "Notifications couldn't be turned on. Check your connection and try again.",
  denied: "Your browser blocks notifications from Chuoni. Allow them in its settings for this site, then try again.",
} as const;
