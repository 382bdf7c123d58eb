import { useId, useState } from "react";
import { campusCalled } from "#app/accounts/profile/campus-rules.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { MAX_LENGTHS } from "#app/accounts/login/account-rules.ts";

interface CampusFieldProps {
  campuses: readonly { id: number; name: string }[];
  error?: string;
  defaultValue?: string;
  optional?: boolean;
  /** Their listings take the new campus, too. */
  movesListings?: boolean;
}

/** The campus, chosen from the list or typed. The server finds its id. */
export function CampusField({ campuses, error, defaultValue, optional, movesListings }: CampusFieldProps) {
  const list = useId();
  const [isNew, setIsNew] = useState(false);
  return (
    <Field
      label="Campus location"
      error={error}
      optional={optional}
      hint={
        isNew
          ? "We don't have this campus on our list yet. Check its spelling, or go on with it."
          : `Choose your campus, or type its name.${movesListings ? " Your listings move with you." : ""}`
      }
    >
      <>
        <TextField
          name="campusLocation"
          icon="map-pin"
          list={list}
          autoComplete="off"
          defaultValue={defaultValue}
          maxLength={MAX_LENGTHS.campusLocation}
          aria-required={!optional}
          onBlur={({ currentTarget: { value } }) => setIsNew(value.trim() !== "" && !campusCalled(campuses, value))}
        />
        <datalist id={list}>
          {campuses.map((campus) => (
            // A translator changes an option's text, and a choice without a value is its text.
            <option key={campus.id} value={campus.name}>
              {campus.name}
            </option>
          ))}
        </datalist>
      </>
    </Field>
  );
}
