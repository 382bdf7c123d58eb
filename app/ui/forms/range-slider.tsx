import "./range-slider.css";
import type { CSSProperties } from "react";

interface RangeSliderProps {
  legend: string;
  min: number;
  max: number;
  step: number;
  /** Lower and upper end. */
  value: readonly [number, number];
  onChange: (value: [number, number]) => void;
  /** Names in a form. */
  names: readonly [string, string];
  /** The accessible names of the two thumbs. */
  labels: readonly [string, string];
  /** A value in words. */
  format: (value: number) => string;
}

/** A range with two thumbs: two native sliders on one track, so keyboards, screen readers and forms support them. */
export function RangeSlider({ legend, min, max, step, value, onChange, names, labels, format }: RangeSliderProps) {
  const [low, high] = value;
  const share = (amount: number) => (amount - min) / (max - min);
  const style: CSSProperties & Record<"--from" | "--to", number> = { "--from": share(low), "--to": share(high) };
  return (
    <fieldset className="field">
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
          onChange={(event) => onChange([Math.min(event.currentTarget.valueAsNumber, high), high])}
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
          onChange={(event) => onChange([low, Math.max(event.currentTarget.valueAsNumber, low)])}
        />
      </div>
      <p className="range__words">
        <span>{format(low)}</span>
        <span>{format(high)}</span>
      </p>
    </fieldset>
  );
}
