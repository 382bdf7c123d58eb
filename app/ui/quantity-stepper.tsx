import "./quantity-stepper.css";
import { type KeyboardEvent, useState } from "react";
import { Icon } from "./icon.tsx";

interface QuantityStepperProps {
  /** What is counted: "Quantity of Casio fx-991ES". */
  label: string;
  value: number;
  onChange: (value: number) => void;
  /** The name of the form field, if it is part of a form. */
  name?: string;
  /** The smallest quantity, by default 1. */
  minimum?: number;
  /** The largest quantity, by default 99. If it is the smallest, too, there is nothing to choose. */
  maximum?: number;
  /** Called instead of onChange when the quantity is above the maximum. */
  onTooMany?: () => void;
  /** Called when 0 was typed, after Enter or after leaving the field. */
  onZero?: () => void;
  disabled?: boolean;
}

/** Chooses a quantity: less, the number itself, more. */
export function QuantityStepper({
  label,
  value,
  onChange,
  name,
  minimum = 1,
  maximum = 99,
  onTooMany,
  onZero,
  disabled,
}: QuantityStepperProps) {
  const fixed = maximum === minimum && value === minimum;
  // The field's text while somebody types. It may be empty in between.
  const [typed, setTyped] = useState<string | null>(null);
  // What was chosen here, until `value` has caught up. Presses add up even while `value` lags behind them.
  const [wished, setWished] = useState<number | null>(null);
  if (wished === value) setWished(null);
  const shown = wished ?? value;

  function set(wish: number) {
    if (wish > maximum) return onTooMany?.();
    if (!Number.isInteger(wish) || wish < minimum || wish === shown) return;
    setWished(wish);
    onChange(wish);
  }
  function type(text: string) {
    setTyped(Number(text) > maximum ? null : text);
    set(Number(text));
  }
  // Enter accepts the number, like leaving the field. The form's buttons do the rest.
  function settleOnEnter(event: KeyboardEvent) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    leave();
  }
  function leave() {
    if (typed?.trim() && Number(typed) === 0) onZero?.();
    setTyped(null);
  }
  return (
    <div className="stepper" role="group" aria-label={label}>
      <button
        type="button"
        className="stepper__button"
        aria-label="Decrease quantity"
        disabled={disabled || shown <= minimum}
        onClick={() => set(shown - 1)}
      >
        <Icon name="minus" />
      </button>
      <input
        className="stepper__input"
        data-wide={maximum > 999 || undefined}
        type="number"
        inputMode="numeric"
        name={name}
        aria-label={label}
        min={onZero ? 0 : minimum}
        max={maximum}
        value={typed ?? shown}
        disabled={disabled}
        readOnly={fixed}
        onChange={(event) => type(event.target.value)}
        onKeyDown={settleOnEnter}
        onBlur={leave}
      />
      <button
        type="button"
        className="stepper__button"
        aria-label="Increase quantity"
        disabled={disabled || fixed}
        onClick={() => set(Math.max(shown + 1, minimum))}
      >
        <Icon name="plus" />
      </button>
    </div>
  );
}
