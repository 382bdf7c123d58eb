/** The notification centre. A notification is below it. */
export const NOTIFICATIONS_PATH = "/notifications";
