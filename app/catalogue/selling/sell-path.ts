/** The form of a new listing, filled in with what somebody looks for. `id`: the short id of their shared search. */
export function sellPath(id: string): string {
  return `/add-product?for=${id}`;
}
