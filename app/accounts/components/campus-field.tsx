import { useId } from "react";
import { Field } from "#app/ui/field.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { MAX_LENGTHS } from "#app/accounts/sign-up-rules.ts";

interface CampusFieldProps {
  campuses: readonly { id: number; name: string }[];
  error?: string;
  defaultValue?: string;
  optional?: boolean;
}

/** The campus, chosen from the list or typed (accounts spec §2); the server finds the list's id. */
export function CampusField({ campuses, error, defaultValue, optional }: CampusFieldProps) {
  const list = useId();
  return (
    <Field label="Campus location" error={error} optional={optional} hint="Choose from the list, or type yours.">
      {(control) => (
        <>
          <TextField
            {...control}
            name="campusLocation"
            icon="map-pin"
            list={list}
            autoComplete="off"
            defaultValue={defaultValue}
            maxLength={MAX_LENGTHS.campusLocation}
            aria-required={!optional}
          />
          <datalist id={list}>
            {campuses.map((campus) => (
              <option key={campus.id}>{campus.name}</option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
