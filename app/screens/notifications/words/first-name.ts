/** The first name, or null when it could carry a message or a link. */
export function firstNameIn(name: string): string | null {
  const [first = ""] = name.trim().split(/\s+/);
  return /^[\p{L}\p{M}'’-]{1,30}$/u.test(first) ? first : null;
}
