/** Messages: pure rules (commerce spec §5). */

/** Characters. */
export const MESSAGE_MAX_LENGTH = 2000;

export const MESSAGE_TEXTS = {
  empty: "Please enter a message",
  too_long: "A message can have at most 2,000 characters",
  no_recipient: "Cannot send message - recipient not found. Please try refreshing the page.",
  sent: "Message sent successfully!",
  failed: "Failed to send message",
} as const;

/** One conversation, one key, whoever writes. */
export function threadOf(one: string, other: string): string {
  return one < other ? `${one}:${other}` : `${other}:${one}`;
}
