import "./meeting-fields.css";
import type { ReactNode } from "react";
import {
  hoursText,
  type MeetingErrors,
  type MeetingPlaces,
  meetingDays,
  type MeetingValues,
  OTHER_PLACE,
  PLACE_MAX,
} from "#app/meetings/meeting-rules.ts";
import { MEETING_TEXTS } from "#app/meetings/meeting-texts.ts";
import { formatWeekday } from "#app/ui/dates.ts";
import { dayBounds } from "#app/platform/east-africa-time.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { Select } from "#app/ui/forms/form-fields.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { Guarded } from "./guarded.tsx";

interface MeetingFieldsProps {
  places: MeetingPlaces;
  /** What the fields start with; null for nothing. */
  values: MeetingValues | null;
  errors: MeetingErrors;
  /** Ms since 1970, when the server made the page. It defines "today". */
  now: number;
}

/** A place, a day and a time. The place is a meeting point, or where that is fine one in own words. */
export function MeetingFields({ places, values, errors, now }: MeetingFieldsProps) {
  const { points, askedBy } = places;
  const campuses = [...new Set(points.map(({ campus }) => campus))];
  return (
    <div className="meeting-fields stack">
      <Field label="Place" id="point" error={errors.point} hint={placeHint(places)}>
        <Select name="point" defaultValue={values?.point ?? ""}>
          <option value="">Choose a place</option>
          {campuses.map((campus) => (
            <optgroup key={campus} label={campus}>
              {points
                .filter((point) => point.campus === campus)
                .map((point) => (
                  <option key={point.id} value={point.id}>
                    {point.name} ({point.isGuarded && `${MEETING_TEXTS.guarded}, `}
                    {hoursText(point)})
                  </option>
                ))}
            </optgroup>
          ))}
          {askedBy === null && <option value={OTHER_PLACE}>Another place</option>}
        </Select>
      </Field>
      {askedBy === null && (
        <div className="meeting-fields__other">
          <Field
            label="Another place, in your words"
            id="otherPlace"
            error={errors.otherPlace}
            hint="Choose a public place where other people are around."
          >
            <TextField
              name="otherPlace"
              icon="map-pin"
              defaultValue={values?.otherPlace}
              maxLength={PLACE_MAX}
              autoComplete="off"
            />
          </Field>
        </div>
      )}
      <div className="meeting-fields__when">
        <Field label="Day" id="day" error={errors.day}>
          <Select name="day" defaultValue={values?.day}>
            {meetingDays(now).map((day, ahead) => (
              <option key={day} value={day}>
                {ahead < 2 ? ["Today", "Tomorrow"][ahead] : formatWeekday(dayBounds(day).from)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Time" id="time" error={errors.time}>
          <TextField name="time" type="time" defaultValue={values?.time} />
        </Field>
      </div>
    </div>
  );
}

/** Why there is no other place, and what is meant by a guarded one. */
function placeHint({ points, askedBy }: MeetingPlaces): ReactNode {
  const hasGuarded = points.some(({ isGuarded }) => isGuarded);
  if (!hasGuarded && askedBy === null) return null;
  return (
    <>
      {askedBy !== null && `${askedBy} asks that you hand over at one of its meeting points, where others see you. `}
      {hasGuarded && (
        <>
          <Guarded />: a guard or a camera is there.
        </>
      )}
    </>
  );
}
