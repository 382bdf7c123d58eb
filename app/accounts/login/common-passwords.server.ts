/**
 * Whether a password is among the tens of thousands that guessers try first. The list is loaded when it is first
 * needed.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return dictionary["passwords-common"].includes(password.toLowerCase());
}
