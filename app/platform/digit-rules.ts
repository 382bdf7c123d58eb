/** Digits as people type them, in any script and with any marks between them. */

/** The text with every decimal digit of Unicode as one of 0 to 9: "３", "٣" and "3️⃣" are 3. */
export function asciiDigits(text: string): string {
  return text.normalize("NFKC").replaceAll(/\p{Nd}/gu, (digit) => String(valueOf(digit.codePointAt(0) ?? 0)));
}

/** Unicode keeps the digits of a script together, from 0 to 9. */
function valueOf(codePoint: number): number {
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(codePoint - before - 1))) before += 1;
  return before % 10;
}

/** A code as it was typed, without spaces, dashes, dots and invisible marks, and with plain digits. Letters stay. */
export function plainCode(typed: string): string {
  return asciiDigits(typed).replaceAll(/[\s\p{Z}\p{P}\p{C}\p{M}]/gu, "");
}
