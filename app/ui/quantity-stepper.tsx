import { Icon } from "./icon.tsx";

interface QuantityStepperProps {
  /** What is counted: "Quantity of Casio fx-991ES". */
  label: string;
  value: number;
  onChange: (value: number) => void;
  /** Form field name, when it stands in a form. */
  name?: string;
  /** Called instead of onChange when the wish is above the maximum. */
  onTooMany?: () => void;
  disabled?: boolean;
}

const minimum = 1;
const maximum = 99;

/** A quantity from 1 to 99 (commerce spec §9): less, the number itself, more. */
export function QuantityStepper({ label, value, onChange, name, onTooMany, disabled }: QuantityStepperProps) {
  function set(wish: number) {
    if (wish > maximum) return onTooMany?.();
    if (Number.isInteger(wish) && wish >= minimum && wish !== value) onChange(wish);
  }
  return (
    <div className="stepper" role="group" aria-label={label}>
      <button type="button" className="stepper__button" aria-label="Decrease quantity" disabled={disabled || value <= minimum} onClick={() => set(value - 1)}>
        <Icon name="minus" />
      </button>
      <input
        className="stepper__input"
        type="number"
        inputMode="numeric"
        name={name}
        aria-label={label}
        min={minimum}
        max={maximum}
        value={value}
        disabled={disabled}
        onChange={(event) => set(event.target.valueAsNumber)}
      />
      <button type="button" className="stepper__button" aria-label="Increase quantity" disabled={disabled} onClick={() => set(value + 1)}>
        <Icon name="plus" />
      </button>
    </div>
  );
}
