import { SHOP_SETTINGS_PATH } from "#app/shops/shop-settings-path.ts";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { useFetcher } from "react-router";
import { holidayText, lastDayOf } from "#app/accounts/profile/holiday.ts";
import { holidayUntilOpening, type SemesterNews, semesterText } from "#app/accounts/profile/semester.ts";
import { formatDayOfYear } from "#app/ui/dates.ts";
import { dayBounds } from "#app/platform/east-africa-time.ts";
import { writeOpened } from "#app/platform/edit-rules.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { useSendPath } from "#app/ui/forms/send-path.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { toast } from "#app/ui/feedback/toast.ts";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";

/** The result of a change of the holiday. `error` belongs to the field. */
export type HolidayAnswer =
  | { holiday: "saved"; text: string }
  | { holiday: "refused"; error: string; lastDay: string; opened?: string };

/** The settings' action also answers for the rest of the settings and when no answer came, and says so. */
type Answer = HolidayAnswer | { ok: boolean; message: string };

/** Sends a form of the holiday, and says how it ended. */
function useHoliday(onSaved?: (lastDay: string) => void) {
  const changing = useFetcher<Answer>();
  const action = useSendPath(SHOP_SETTINGS_PATH);
  const sentDay = useRef("");
  const finish = useRef(onSaved);
  useEffect(() => {
    finish.current = onSaved;
  });
  useEffect(() => {
    const answer = changing.data;
    if (!answer || "ok" in answer || answer.holiday === "refused") return;
    toast.success(answer.text);
    finish.current?.(sentDay.current);
  }, [changing.data]);
  const { Form, submit, state, data } = changing;
  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (state !== "idle") return;
    const sent = new FormData(event.currentTarget);
    sentDay.current = String(sent.get("lastDay") ?? "");
    sent.set("scripted", "yes");
    void submit(sent, { method: "post", action, encType: "multipart/form-data" });
  }
  return {
    Form,
    form: { method: "post", action, encType: "multipart/form-data", onSubmit } as const,
    busy: state !== "idle",
    answer: data && "holiday" in data ? data : null,
  };
}

interface HolidayFormProps {
  awayUntil: number | null;
  /** The last result, for browsers without scripts. */
  answer: HolidayAnswer | null;
  onSaved: () => void;
}

/** Sets the last day of a seller's holiday. */
export function HolidayForm({ awayUntil, answer, onSaved }: HolidayFormProps) {
  // When the page reloads its data, the field stays, so this stays, too. A change of their own is what they then see.
  const [openedWith, setOpenedWith] = useState(() =>
    writeOpened({ lastDay: awayUntil === null ? "" : lastDayOf(awayUntil) }),
  );
  const saved = (lastDay: string) => {
    setOpenedWith(writeOpened({ lastDay }));
    onSaved();
  };
  const change = useHoliday(saved);
  const result = change.answer ?? answer;
  const refused = result?.holiday === "refused" ? result : null;
  const errors = useFieldErrors(useMemo(() => refused && { lastDay: refused.error }, [refused]));
  return (
    <section className="stack" aria-labelledby="holiday">
      <h2 id="holiday">Holiday</h2>
      {awayUntil !== null && <HolidayNotice awayUntil={awayUntil} onSaved={saved} />}
      <change.Form {...change.form} className="stack" noValidate {...errors.form}>
        <input type="hidden" name="intent" value="holiday" />
        <input type="hidden" name="opened" value={refused?.opened ?? openedWith} />
        <Field
          label="On holiday until"
          error={errors.of("lastDay")}
          hint="The last day that you're away. Until then nobody can order or make an offer. Paid items go on as usual."
        >
          <TextField
            type="date"
            name="lastDay"
            defaultValue={refused?.lastDay ?? (awayUntil === null ? "" : lastDayOf(awayUntil))}
          />
        </Field>
        <SubmitButton variant="soft" busy={change.busy} busyLabel="Saving...">
          {awayUntil === null ? "Go on Holiday" : "Change the Date"}
        </SubmitButton>
      </change.Form>
    </section>
  );
}

interface SemesterHolidayProps {
  semester: SemesterNews;
  /** What they have sold and not handed over. */
  pendingOrders: number;
  /** Ms since 1970. */
  now: number;
}

/** Sets a seller who goes home on holiday until the next semester, by one press. */
export function SemesterHoliday({ semester, pendingOrders, now }: SemesterHolidayProps) {
  const change = useHoliday();
  const lastDay = holidayUntilOpening(semester, now);
  return (
    <Callout tone="gold" icon="graduation-cap">
      <div className="row row--apart">
        <span>
          {semesterText(semester)}
          {pendingOrders > 0 &&
            ` ${pendingOrders === 1 ? "One sale isn't" : `${pendingOrders} sales aren't`} handed over yet.`}
          {" Going home?"}
        </span>
        <change.Form {...change.form}>
          <input type="hidden" name="intent" value="holiday" />
          <input type="hidden" name="opened" value={writeOpened({ lastDay: "" })} />
          <input type="hidden" name="lastDay" value={lastDay} />
          <SubmitButton wide={false} variant="soft" busy={change.busy} busyLabel="One moment...">
            Holiday until {formatDayOfYear(dayBounds(lastDay).from)}
          </SubmitButton>
        </change.Form>
      </div>
      {change.answer?.holiday === "refused" && <p role="alert">{change.answer.error}</p>}
    </Callout>
  );
}

/** Tells a seller that nobody can order, with a button that ends the holiday at once. */
export function HolidayNotice({ awayUntil, onSaved }: { awayUntil: number; onSaved?: (lastDay: string) => void }) {
  const change = useHoliday(onSaved);
  return (
    <Callout tone="orange">
      <div className="row row--apart">
        <span>You are on {holidayText(awayUntil)}. Nobody can order from you.</span>
        <change.Form {...change.form}>
          <input type="hidden" name="intent" value="holiday" />
          <SubmitButton wide={false} busy={change.busy} busyLabel="One moment...">
            I'm back
          </SubmitButton>
        </change.Form>
      </div>
    </Callout>
  );
}
