/** The id of the box for messages to a person or about an item (`id`), or of the button that opens it. */
export function messageBoxId(id: string): string {
  return `message-${id}`;
}
