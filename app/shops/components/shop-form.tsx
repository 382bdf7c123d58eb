import "./own-shop.css";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { type FetcherWithComponents, useFetcher } from "react-router";
import { HolidayForm, type HolidayAnswer } from "./holiday-form.tsx";
import { PhotoField } from "#app/catalogue/photos/components/photo-field.tsx";
import { type Photos, usePhotos } from "#app/catalogue/photos/components/use-photos.ts";
import { WEEKDAYS, type Weekday } from "#app/shops/hours-rules.ts";
import { SHOP_SETTINGS_PATH } from "#app/shops/shop-settings-path.ts";
import { readShopForm, SHOP_MAX, shopTexts, type ShopErrors, type ShopValues } from "#app/shops/shop-form-rules.ts";
import { type TypedShop, typedValues } from "#app/shops/typed-shop.ts";
import type { ShopEditor } from "#app/shops/shop-settings.server.ts";
import { writeOpened } from "#app/platform/edit-rules.ts";
import { Button } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { Checkbox, RadioCards } from "#app/ui/forms/choice.tsx";
import { Field, FieldError } from "#app/ui/forms/field.tsx";
import { useSendPath } from "#app/ui/forms/send-path.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextArea } from "#app/ui/forms/form-fields.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { type FieldErrors, useFieldErrors } from "#app/ui/forms/use-field-errors.ts";

/** The result of a submitted form. */
export type ShopAnswer =
  | { ok: true; message: string }
  | { ok: false; message: string; errors: ShopErrors; values: ShopValues; opened?: string };

interface ShopFormProps {
  editor: ShopEditor;
  /** The last result, for browsers without scripts. */
  answer?: ShopAnswer | null;
  /** The last change of the holiday, for browsers without scripts. */
  holiday?: HolidayAnswer | null;
  /** The holiday is saved by itself, so the shop's fields may then be unsaved. */
  onSaved: (what: "shop" | "holiday") => void;
  /** In a dialog: the values from before it was closed. */
  typed?: TypedShop | null;
  /** Called with the form's values when they change. */
  onType?: (typed: TypedShop) => void;
  /** In a dialog: gives up the values from before it was closed. */
  onDiscard?: () => void;
}

/** A shop's settings, on a page of their own or in a dialog. */
export function ShopForm({ editor, answer = null, holiday = null, onSaved, typed, onType, onDiscard }: ShopFormProps) {
  const saving = useFetcher<ShopAnswer>();
  const result = saving.data ?? answer;
  const refused = result && !result.ok ? result : null;
  const errors = useFieldErrors(refused?.errors);
  const [before] = useState(() => typed && typedValues(typed));
  const values = before ?? (answer && !answer.ok ? answer.values : editor.values);
  // When the page reloads its data, the fields stay, so this stays, too.
  const [openedWith] = useState(() => before?.opened ?? writeOpened(shopTexts(editor.values)));
  const banner = usePhotos({ initial: typed?.banner ?? (editor.banner ? [editor.banner] : []), max: 1 });
  const logo = usePhotos({ initial: typed?.logo ?? (editor.logo ? [editor.logo] : []), max: 1, isPortrait: true });
  const sending = useSending({ saving, errors, banner, logo });
  useOnceSaved(saving, () => onSaved("shop"));
  const { ref: form } = errors.form;
  function keep(): void {
    if (!form.current) return;
    const fields = [...new FormData(form.current)].filter(
      (field): field is [string, string] => !(field[1] instanceof File),
    );
    onType?.({ fields, banner: banner.images, logo: logo.images });
  }
  useWhenPhotosChange([banner, logo], keep);
  const parts = { values, errors };
  return (
    <div className="stack stack--loose">
      <saving.Form
        className="stack shop-form"
        method="post"
        action={sending.action}
        encType="multipart/form-data"
        noValidate
        {...errors.form}
        onInput={(event) => {
          errors.form.onInput(event);
          keep();
        }}
        onSubmit={(event) => void sending.send(event)}
      >
        <input type="hidden" name="opened" value={refused?.opened ?? openedWith} />
        {before && (
          <Callout role="alert" tone="gold" icon="notebook-pen">
            <span className="row row--apart">
              Your changes are still here, but not saved yet.
              <Button variant="ghost" size="small" onClick={onDiscard}>
                Discard changes
              </Button>
            </span>
          </Callout>
        )}
        <NameAndPictures {...parts} banner={banner} logo={logo} />
        <Field
          label="Description"
          optional
          error={errors.of("description")}
          hint="What you sell and why buyers come back"
        >
          <TextArea name="description" maxLength={SHOP_MAX.description} defaultValue={values.description} />
        </Field>
        <Hours values={values} errorOf={errors.of} />
        <Terms {...parts} askedBy={editor.askedBy} />
        {refused && Object.keys(refused.errors).length === 0 && <FieldError message={refused.message} />}
        <SubmitButton busyLabel={sending.busyLabel} busy={sending.isBusy}>
          Save Changes
        </SubmitButton>
      </saving.Form>
      {editor.opened && (
        <HolidayForm awayUntil={editor.awayUntil} answer={holiday} onSaved={() => onSaved("holiday")} />
      )}
    </div>
  );
}

interface SendingOf {
  saving: FetcherWithComponents<ShopAnswer>;
  errors: FieldErrors;
  banner: Photos;
  logo: Photos;
}

/** Sends the form without leaving the page, once its photos are uploaded and no error is found. */
function useSending({ saving, errors, banner, logo }: SendingOf) {
  const isUploading = banner.busy || logo.busy;
  // Save was pressed while a photo was still uploading. The form is sent when the upload is done.
  const [pressed, setPressed] = useState(false);
  const action = useSendPath(SHOP_SETTINGS_PATH);
  const { ref: form } = errors.form;

  useEffect(() => {
    if (pressed && !isUploading) form.current?.requestSubmit();
  }, [pressed, isUploading, form]);

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (saving.state !== "idle") return;
    setPressed(false);
    const sent = new FormData(event.currentTarget);
    const found: ShopErrors = {
      ...(await errorsOf(readShopForm(sent))),
      ...(banner.failed && { banner: "Try uploading the photo again, or remove it" }),
      ...(logo.failed && { logo: "Try uploading the photo again, or remove it" }),
    };
    if (Object.keys(found).length > 0) return errors.show(found);
    if (isUploading) return setPressed(true);
    sent.delete("bannerFile");
    sent.delete("logoFile");
    sent.set("scripted", "yes");
    void saving.submit(sent, { method: "post", action, encType: "multipart/form-data" });
  }
  return {
    action,
    send,
    isBusy: saving.state !== "idle" || (pressed && isUploading),
    busyLabel: isUploading && pressed ? "Finishing the upload..." : "Saving...",
  };
}

function useOnceSaved(saving: FetcherWithComponents<ShopAnswer>, onSaved: () => void): void {
  const finish = useRef(onSaved);
  useEffect(() => {
    finish.current = onSaved;
  });
  useEffect(() => {
    if (saving.data?.ok) finish.current();
  }, [saving.data]);
}

/** No event tells of a photo that has been uploaded or removed. */
function useWhenPhotosChange(all: readonly Photos[], onChange: () => void): void {
  const keys = all.map(({ images }) => images.map(({ key }) => key).join(" ")).join();
  const keptKeys = useRef(keys);
  useEffect(() => {
    if (keptKeys.current === keys) return;
    keptKeys.current = keys;
    onChange();
  });
}

interface PartProps {
  values: ShopValues;
  errors: FieldErrors;
}

function NameAndPictures({ values, errors, banner, logo }: PartProps & { banner: Photos; logo: Photos }) {
  return (
    <>
      <Field label="Shop name" error={errors.of("shopName")}>
        <TextField
          name="shopName"
          icon="store"
          maxLength={SHOP_MAX.shopName}
          defaultValue={values.shopName}
          autoComplete="off"
          aria-required
        />
      </Field>
      <PhotoField
        photos={logo}
        label="Logo"
        name="logo"
        fileName="logoFile"
        error={errors.of("logo")}
        hint="Stands beside your shop's name everywhere. We show the middle of it as a circle."
      />
      <PhotoField
        photos={banner}
        label="Banner"
        name="banner"
        fileName="bannerFile"
        wide
        error={errors.of("banner")}
        hint="Shown across the top of your shop. A photo about three times as wide as it is high works best."
      />
    </>
  );
}

function Terms({ values, errors, askedBy }: PartProps & { askedBy: string | null }) {
  return (
    <>
      <Field
        label="Policies"
        optional
        error={errors.of("policies")}
        hint="Returns, exchanges, deposits: anything a buyer should know before paying"
      >
        <TextArea name="policies" rows={3} maxLength={SHOP_MAX.policies} defaultValue={values.policies} />
      </Field>
      <Checkbox id="offersDelivery" name="offersDelivery" defaultChecked={values.offersDelivery}>
        I deliver on campus
      </Checkbox>
      {askedBy !== null && (
        <p className="field__hint">
          {askedBy} asks that its sellers hand over at its meeting points, so buyers aren't offered delivery.
        </p>
      )}
      <Field
        label="Preferred contact"
        optional
        error={errors.of("preferredContact")}
        hint="For example: message me here in the evening"
      >
        <TextField
          name="preferredContact"
          maxLength={SHOP_MAX.preferredContact}
          defaultValue={values.preferredContact}
          autoComplete="off"
        />
      </Field>
    </>
  );
}

const HOURS_CHOICES = [
  { value: "none", label: "Don't show hours" },
  { value: "week", label: "By day" },
  { value: "text", label: "In your own words" },
];

function Hours({ values, errorOf }: { values: ShopValues; errorOf: (name: string) => string | undefined }) {
  return (
    <div className="shop-hours stack stack--tight">
      <RadioCards
        legend="Business hours"
        name="hoursKind"
        defaultValue={values.hoursKind}
        choices={HOURS_CHOICES}
        error={errorOf("hoursKind")}
      />
      <div className="shop-hours__week" role="group" aria-label="Hours by day">
        {WEEKDAYS.map((day) => (
          <Day key={day} day={day} value={values.days[day]} error={errorOf(`from${day}`)} />
        ))}
      </div>
      <div className="shop-hours__words">
        <Field label="Hours in your own words" error={errorOf("hoursText")}>
          <TextArea name="hoursText" rows={2} maxLength={SHOP_MAX.hoursText} defaultValue={values.hoursText} />
        </Field>
      </div>
    </div>
  );
}

const DAY_NAMES: Record<Weekday, string> = {
  Mon: "Monday",
  Tue: "Tuesday",
  Wed: "Wednesday",
  Thu: "Thursday",
  Fri: "Friday",
  Sat: "Saturday",
  Sun: "Sunday",
};

function Day({ day, value, error }: { day: Weekday; value: ShopValues["days"][Weekday]; error?: string }) {
  const described = {
    "aria-invalid": error ? (true as const) : undefined,
    "aria-describedby": error && `hours-${day}-error`,
  };
  return (
    <div className="shop-day">
      <Checkbox
        id={`open-${day}`}
        name={`open${day}`}
        defaultChecked={value.open}
        aria-label={`Open on ${DAY_NAMES[day]}`}
      >
        {day}
      </Checkbox>
      <span className="shop-day__closed small">Closed</span>
      <TextField
        {...described}
        className="shop-day__time"
        type="time"
        name={`from${day}`}
        defaultValue={value.from}
        aria-label={`${DAY_NAMES[day]}, opens`}
      />
      <span className="shop-day__to quiet small">to</span>
      <TextField
        className="shop-day__time"
        type="time"
        name={`to${day}`}
        defaultValue={value.to}
        aria-label={`${DAY_NAMES[day]}, closes`}
      />
      {error && <FieldError id={`hours-${day}-error`} message={error} />}
    </div>
  );
}

/** The errors of the values; none where the rules can't be loaded, because the server checks them too. */
async function errorsOf(values: ShopValues): Promise<ShopErrors> {
  try {
    const { readShop } = await import("#app/shops/shop-check-rules.ts");
    const reading = readShop(values);
    return reading.ok ? {} : reading.errors;
  } catch {
    return {};
  }
}
