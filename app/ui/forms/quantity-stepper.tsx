import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from "react";
import { readDigits } from "#app/platform/number-rules.ts";
import { Button } from "#app/ui/button.tsx";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { FieldError } from "./field.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";

interface QuantityStepperProps {
  /** Where a screen has several, the name of this one's group: "Quantity of Casio fx-991ES". */
  label?: string;
  value: number;
  onChange: (value: number) => void;
  /** The smallest quantity, by default 1. */
  minimum?: number;
  /** The largest quantity, by default 99. If it is the smallest, too, there is nothing to choose. */
  maximum?: number;
  /** Called when the button for more is pressed at the maximum. */
  onTooMany?: () => void;
  /** What is wrong with a number below the minimum or above the maximum. */
  errorOf?: (quantity: number) => string;
  /** Called when 0 was typed, after Enter or after leaving the field. */
  onZero?: () => void;
  /** Whether what stands in the field can't be chosen, whenever that changes. */
  onWrong?: (isWrong: boolean) => void;
}

/**
 * Chooses a quantity: less, the number itself, more. A number that can't be chosen stays as it was typed: the field
 * says why, offers the nearest one, and its form can't be sent.
 */
export function QuantityStepper({ label, minimum = 1, maximum = 99, ...props }: QuantityStepperProps) {
  const errorId = useId();
  const fixed = maximum === minimum && props.value === minimum;
  const field = useRef<HTMLInputElement>(null);
  const { shown, typed, error, nearest, choose, type, leave } = useQuantity({ minimum, maximum, ...props }, field);

  // A number that is typed is heard at the field.
  const [isPressed, setPressed] = useState(false);
  function press(wish: number) {
    setPressed(true);
    choose(wish);
  }

  // Enter accepts the number, like leaving the field. The form's buttons do the rest.
  function settleOnEnter(event: KeyboardEvent) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    leave(typed);
  }
  return (
    <div className="quantity">
      <div className="stepper" role={label && "group"} aria-label={label}>
        <button
          type="button"
          className="stepper__button scripted"
          aria-label="Decrease quantity"
          // Not disabled, so that it keeps the focus.
          aria-disabled={shown <= minimum || undefined}
          onClick={() => shown > minimum && press(shown - 1)}
        >
          <Icon name="minus" />
        </button>
        <input
          ref={field}
          className="stepper__input"
          aria-invalid={error !== null || undefined}
          aria-describedby={error === null ? undefined : errorId}
          data-wide={maximum > 999 || undefined}
          type="number"
          inputMode="numeric"
          name="quantity"
          // A browser that fills in a quantity of an earlier visit would look like somebody who types one.
          autoComplete="off"
          aria-label="Quantity"
          min={props.onZero ? 0 : minimum}
          max={maximum}
          value={typed ?? shown}
          readOnly={fixed}
          onChange={(event) => {
            setPressed(false);
            type(event.target.value);
          }}
          onKeyDown={settleOnEnter}
          onBlur={() => leave(typed)}
        />
        <button
          type="button"
          className="stepper__button scripted"
          aria-label="Increase quantity"
          disabled={fixed}
          onClick={() => press(Math.max(shown + 1, minimum))}
        >
          <Icon name="plus" />
        </button>
      </div>
      <LiveRegion text={isPressed ? shown.toLocaleString("en") : ""} />
      {error !== null && (
        <div className="quantity__error" role="alert">
          <FieldError id={errorId} message={error} />
          <Button size="small" variant="soft" onClick={() => choose(nearest)}>
            Change to {nearest.toLocaleString("en")}
          </Button>
        </div>
      )}
    </div>
  );
}

type QuantityOf = Omit<QuantityStepperProps, "label"> & { minimum: number; maximum: number };

/** The number that is chosen, and what stands in the field while somebody types. */
function useQuantity(
  {
    value,
    onChange,
    minimum,
    maximum,
    onTooMany,
    errorOf = (quantity) => (quantity > maximum ? `Enter at most ${maximum}` : `Enter at least ${minimum}`),
    onZero,
    onWrong,
  }: QuantityOf,
  field: RefObject<HTMLInputElement | null>,
) {
  // The field's text while somebody types. It may be empty in between.
  const [typed, setTyped] = useState<string | null>(null);
  const [left, setLeft] = useState(false);
  // What was chosen here, until `value` has caught up. Presses add up even while `value` lags behind them.
  const [wished, setWished] = useState<number | null>(null);
  if (wished === value) setWished(null);
  const shown = wished ?? value;
  const wrong = errorIn(typed);
  const nearest = typed !== null && numberIn(typed) > maximum ? maximum : minimum;
  useEffect(() => field.current?.setCustomValidity(wrong ?? ""), [wrong, field]);
  const isWrong = wrong !== null;
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => onWrong?.(isWrong), [isWrong]);
  useEffect(() => {
    // What they typed before this script came.
    const input = field.current;
    if (!input || input.value === input.defaultValue) return;
    const text = input.value;
    // An empty field shows the number again, as when somebody leaves it.
    if (text === "" && document.activeElement !== input) return void (input.value = input.defaultValue);
    type(text);
    if (document.activeElement !== input) leave(text);
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  function errorIn(text: string | null): string | null {
    if (text === null || text.trim() === "") return null;
    const number = numberIn(text);
    if (Number.isNaN(number)) return "Enter a whole number";
    return number < minimum || number > maximum ? errorOf(number) : null;
  }

  function set(wish: number) {
    if (wish > maximum) return onTooMany?.();
    if (!Number.isInteger(wish) || wish < minimum || wish === shown) return;
    setWished(wish);
    onChange(wish);
  }
  function choose(wish: number) {
    setTyped(null);
    set(wish);
  }
  function type(text: string) {
    setTyped(text);
    setLeft(false);
    if (errorIn(text) === null) set(numberIn(text));
  }
  function leave(text: string | null) {
    const isZero = text !== null && numberIn(text) === 0;
    if (isZero) onZero?.();
    if (errorIn(text) === null || (isZero && onZero)) setTyped(null);
    else setLeft(true);
  }
  return { shown, typed, error: left ? wrong : null, nearest, choose, type, leave };
}

/** The whole number that somebody typed, as the server reads it; NaN for any other text, such as "1e1". */
function numberIn(text: string): number {
  const isNegative = text.startsWith("-");
  return (readDigits(text.slice(isNegative ? 1 : 0)) ?? NaN) * (isNegative ? -1 : 1);
}
