/** The id of the box for messages about an item, or of the button that opens it. */
export function messageBoxId(itemId: string): string {
  return `message-${itemId}`;
}
