import { useId, type ComponentProps, type ReactNode } from "react";
import { classNames } from "#app/ui/class-names.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import type { IconName } from "#app/ui/pictures/icon-names.ts";
import { FieldError } from "./field.tsx";

interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  id: string;
  children: ReactNode;
  error?: string | null;
}

/** A checkbox with its label. The whole line is the target. */
export function Checkbox({ children, error, ...rest }: CheckboxProps) {
  const errorId = `${rest.id}-error`;
  return (
    <div>
      <label className="tick">
        <input
          {...rest}
          type="checkbox"
          className="tick__box"
          aria-invalid={error ? true : undefined}
          // Where scripts don't focus the first error, the browser does.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus={error ? true : undefined}
          aria-describedby={error ? errorId : undefined}
        />
        <span>{children}</span>
      </label>
      {error && <FieldError id={errorId} message={error} />}
    </div>
  );
}

export interface Choice {
  value: string;
  label: string;
  detail?: string;
  icon?: IconName;
  disabled?: boolean;
}

interface RadioCardsProps {
  legend: string;
  name: string;
  choices: readonly Choice[];
  defaultValue?: string;
  onChange?: (value: string) => void;
  disabled?: boolean;
  /** The browser asks for a choice before it sends the form. */
  required?: boolean;
  hideLegend?: boolean;
  /** Two side by side if there is room. */
  beside?: boolean;
  error?: string | null;
}

/** A choice between a few cards. They are native radio buttons, so they work in a form without scripts. */
export function RadioCards({
  legend,
  name,
  choices,
  defaultValue,
  onChange,
  disabled,
  required,
  hideLegend,
  beside,
  error,
}: RadioCardsProps) {
  const errorId = useId();
  return (
    <fieldset
      className="field"
      disabled={disabled}
      role="radiogroup"
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? errorId : undefined}
      // A refused form moves the focus to its first error.
      tabIndex={error ? -1 : undefined}
    >
      <legend className={hideLegend ? "visually-hidden" : "field__label"}>{legend}</legend>
      <div className={classNames("choices", beside && "choices--beside")}>
        {choices.map((choice) => (
          <label key={choice.value} className="choice">
            <input
              className="choice__input"
              type="radio"
              name={name}
              value={choice.value}
              disabled={choice.disabled}
              required={required}
              defaultChecked={choice.value === defaultValue}
              onChange={onChange && (() => onChange(choice.value))}
            />
            <span className="choice__face">
              {choice.icon && <Icon name={choice.icon} size="large" />}
              <span>
                <span className="choice__label">{choice.label}</span>
                {choice.detail && <span className="choice__detail">{choice.detail}</span>}
              </span>
              <span className="choice__dot" />
            </span>
          </label>
        ))}
      </div>
      {error && <FieldError id={errorId} message={error} />}
    </fieldset>
  );
}
