import "./reviews.css";
import { STARS, type Stars } from "#app/reviews/review-labels.ts";
import { starText } from "#app/reviews/review-texts.ts";
import { FieldError } from "#app/ui/forms/field.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";

interface StarFieldProps {
  legend: string;
  defaultValue?: Stars;
  error?: string;
  onChange?: () => void;
}

/**
 * Chooses 1 to 5 stars. They are native radio buttons: arrow keys move between them, screen readers read their words,
 * and they work in a form without scripts.
 */
export function StarField({ legend, defaultValue, error, onChange }: StarFieldProps) {
  const [hintId, errorId] = ["rating-hint", "rating-error"];
  return (
    <fieldset
      className="field"
      role="radiogroup"
      aria-required
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${errorId} ${hintId}` : hintId}
      // A refused form moves the focus to its first error.
      tabIndex={error ? -1 : undefined}
    >
      <legend className="field__label">{legend}</legend>
      <div className="star-field">
        <span id={hintId} className="star-field__words star-field__hint">
          From 1 (very bad) to 5 (very good)
        </span>
        {STARS.map((stars) => (
          <label key={stars} className="star-field__star">
            <span className="star-field__face">
              <input
                className="star-field__input"
                type="radio"
                name="rating"
                value={stars}
                required
                defaultChecked={stars === defaultValue}
                onChange={onChange}
              />
              <Icon name="star" />
            </span>
            <span className="star-field__words">{starText(stars)}</span>
          </label>
        ))}
      </div>
      {error && <FieldError id={errorId} message={error} />}
    </fieldset>
  );
}
