import "./price-steps.css";
import { piecesText, type PriceStep, shownSteps } from "#app/catalogue/selling/price-step-rules.ts";
import { formatKes } from "#app/ui/money.ts";

interface PriceStepsProps {
  product: { price: number; minQuantity: number; steps: readonly PriceStep[] };
}

/** The smallest order of a product, and the price of each quantity. */
export function PriceSteps({ product }: PriceStepsProps) {
  const steps = shownSteps(product);
  const { minQuantity, price } = product;
  if (minQuantity === 1 && steps.length === 0) return null;
  return (
    <div className="price-steps">
      {minQuantity > 1 && <p>Smallest order: {piecesText(minQuantity)}</p>}
      {steps.length > 0 && (
        <table className="price-steps__table">
          <caption className="visually-hidden">Price by quantity</caption>
          <tbody>
            {[{ fromQuantity: minQuantity, price }, ...steps].map((step) => (
              <tr key={step.fromQuantity}>
                <th scope="row">from {step.fromQuantity.toLocaleString("en")}:</th>
                <td>{formatKes(step.price)} each</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
