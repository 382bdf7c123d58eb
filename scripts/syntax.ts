/** What a parser says about a piece of code, for plugins that look through a module's whole syntax tree. */

/** A node of the tree. Which fields it has depends on its type. */
export interface SyntaxNode {
  type: string;
  /** Where its code begins and ends in the module. */
  start: number;
  end: number;
  [field: string]: unknown;
}

export function isSyntaxNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
