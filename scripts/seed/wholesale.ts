/** The terms of the demo wholesaler's listings. */
import { isWholesale, type WholesaleTerms } from "#app/catalogue/selling/wholesale-rules.ts";
import type { Row } from "./rows.ts";
import type { Product } from "./stock.ts";

const TERMS = new Map<string, WholesaleTerms & { sku: string }>([
  [
    "Helix Oxford geometrical set",
    {
      sku: "HELIX-SET",
      minQuantity: 6,
      steps: [
        { fromQuantity: 12, price: 385 },
        { fromQuantity: 48, price: 350 },
      ],
    },
  ],
  ["Printing paper, 80 gsm, one ream", { sku: "PAPER-A4", minQuantity: 1, steps: [{ fromQuantity: 5, price: 580 }] }],
]);

/** The wholesale columns of a listing. */
export function wholesaleColumns(name: string): Pick<Row<"products">, "sku" | "minQuantity" | "wholesale"> {
  const terms = TERMS.get(name);
  return terms ? { sku: terms.sku, minQuantity: terms.minQuantity, wholesale: isWholesale(terms) } : {};
}

/** The price steps of the listings that have some. */
export function priceStepsOf(products: readonly Product[]): Row<"priceSteps">[] {
  return products.flatMap(({ id, name }) => (TERMS.get(name)?.steps ?? []).map((step) => ({ productId: id, ...step })));
}
