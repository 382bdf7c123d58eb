/** Which codes of products are taken for one that was written differently. */

/** What is left of a code without its case, the first zeros of a number, and what stands between its parts. */
export function codeKey(sku: string): string {
  const plain = sku
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\p{Pd}−\s]+/gu, "-")
    // Between two numbers it tells them apart: 1-12 isn't 11-2.
    .replaceAll(/(?<!\p{Nd})-|-(?!\p{Nd})/gu, "");
  return plain.replace(/^0+(?=\d+$)/, "");
}

export function sameCodeText(earlier: { line: number; sku: string }, sku: string): string {
  if (earlier.sku === sku) return `Line ${earlier.line} has the same SKU`;
  return `Line ${earlier.line} has “${earlier.sku}”, ${HOW_LIKE}. If this is another product, give it another code`;
}

export function likeText(sku: string): string {
  return `You have “${sku}”, ${HOW_LIKE}. Write it like that, or give this product another code`;
}

const HOW_LIKE = "which differs only in capital letters, first zeros, dashes or spaces";
