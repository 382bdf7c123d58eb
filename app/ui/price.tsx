import { classNames } from "./class-names.ts";
import { formatPrice } from "./money.ts";

interface PriceProps {
  /** Whole shillings (KES); 0 reads "Free". */
  amount: number;
  /** The earlier price (KES), crossed out if it is higher. */
  original?: number | null;
  large?: boolean;
}

/** A price in digits of equal width. */
export function Price({ amount, original, large }: PriceProps) {
  return (
    <span className={classNames("price", large && "price--large")}>
      {formatPrice(amount)}
      {original != null && original > amount && (
        <s className="price__original">
          <span className="visually-hidden">was </span>
          {formatPrice(original)}
        </s>
      )}
    </span>
  );
}
