import { type ChangeEvent, type CSSProperties, useId, useState } from "react";
import { FieldError } from "./field.tsx";

interface RangeSliderProps {
  legend: string;
  min: number;
  max: number;
  step: number;
  /** Lower and upper end. */
  defaultValue: readonly [number, number];
  /** Names in a form. */
  names: readonly [string, string];
  /** The accessible names of the two thumbs. */
  labels: readonly [string, string];
  /** A value in words. */
  format: (value: number) => string;
  error?: string;
}

/** A range with two thumbs: two native sliders on one track, so keyboards, screen readers and forms support them. */
export function RangeSlider({ legend, min, max, step, defaultValue, names, labels, format, error }: RangeSliderProps) {
  const [[low, high], setEnds] = useState(defaultValue);
  /** Stops a thumb at the other one, in the field itself, too: the form may be read before React writes it. */
  const move = ({ currentTarget: thumb }: ChangeEvent<HTMLInputElement>, isLow: boolean) => {
    const end = isLow ? Math.min(thumb.valueAsNumber, high) : Math.max(thumb.valueAsNumber, low);
    thumb.value = String(end);
    setEnds(isLow ? [end, high] : [low, end]);
  };
  const share = (amount: number) => (amount - min) / (max - min);
  const style: CSSProperties & Record<"--from" | "--to", number> = { "--from": share(low), "--to": share(high) };
  const errorId = useId();
  return (
    <fieldset className="field" aria-describedby={error && errorId}>
      <legend className="field__label">{legend}</legend>
      <div className="range" style={style}>
        <input
          className="range__input"
          type="range"
          name={names[0]}
          aria-label={labels[0]}
          aria-valuetext={format(low)}
          min={min}
          max={max}
          step={step}
          value={low}
          // If both thumbs are at the upper end, the lower one must be on top to be moved away.
          data-above={low > (min + max) / 2 || undefined}
          onChange={(event) => move(event, true)}
        />
        <input
          className="range__input"
          type="range"
          name={names[1]}
          aria-label={labels[1]}
          aria-valuetext={format(high)}
          min={min}
          max={max}
          step={step}
          value={high}
          onChange={(event) => move(event, false)}
        />
      </div>
      <p className="range__words">
        <span>{format(low)}</span>
        <span>{format(high)}</span>
      </p>
      {error && <FieldError id={errorId} message={error} />}
    </fieldset>
  );
}
