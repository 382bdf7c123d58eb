import { useFetcher } from "react-router";
import type { SettingsAnswer } from "#app/accounts/components/settings-view.tsx";
import type { Settings } from "#app/accounts/profile/settings.server.ts";
import { PhotoField } from "#app/catalogue/photos/components/photo-field.tsx";
import { usePhotoSubmit } from "#app/catalogue/photos/components/use-photo-submit.ts";
import { usePhotos } from "#app/catalogue/photos/components/use-photos.ts";
import { portraitPhoto } from "#app/catalogue/photos/portraits.ts";
import { writeOpened } from "#app/platform/edit-rules.ts";
import { Button } from "#app/ui/button.tsx";
import { useSendPath } from "#app/ui/forms/send-path.ts";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";

interface PhotoFormProps {
  /** The path of the photo that is saved; null for none. */
  url: string | null;
  /** The last result, for browsers without scripts. */
  answer: SettingsAnswer | null;
}

/** The form of somebody's photo. Once another photo is saved, it begins anew. */
export function photoFormOf({ member: { photoUrl } }: Settings, answer: SettingsAnswer | null = null) {
  return <PhotoForm key={photoUrl} url={photoUrl} answer={answer} />;
}

/** Sets or removes the member's photo. */
function PhotoForm({ url, answer }: PhotoFormProps) {
  const saving = useFetcher<SettingsAnswer>({ key: "settings-photo" });
  const removing = useFetcher();
  const answered = saving.data ?? (answer?.intent === "photo" ? answer : null);
  const errors = useFieldErrors(answered?.errors);
  const saved = portraitPhoto(url);
  const photos = usePhotos({ initial: saved ? [saved] : [], max: 1, isPortrait: true });
  const { isWaiting, onSubmit } = usePhotoSubmit(photos, errors);
  const isSaving = saving.state !== "idle" || isWaiting;
  const action = useSendPath("/settings");
  const props = { method: "post", action, encType: "multipart/form-data" } as const;
  const fields = (
    <>
      <input type="hidden" name="intent" value="photo" />
      <input type="hidden" name="opened" value={answered?.opened ?? writeOpened({ photo: saved?.key ?? "" })} />
    </>
  );
  return (
    <>
      <saving.Form {...props} className="stack" noValidate {...errors.form} onSubmit={onSubmit}>
        {fields}
        <PhotoField
          photos={photos}
          label="Your photo"
          name="photo"
          fileName="photoFile"
          error={errors.of("photos") ?? errors.of("photo")}
          hint="We show the middle of it as a circle, and remove where and when it was taken."
        />
        <div>
          <Button type="submit" variant="soft" busy={isSaving}>
            {isSaving ? "Saving..." : "Save Photo"}
          </Button>
        </div>
      </saving.Form>
      {saved && (
        <removing.Form {...props}>
          {fields}
          <Button type="submit" variant="ghost" icon="trash-2" busy={removing.state !== "idle"}>
            Remove Photo
          </Button>
        </removing.Form>
      )}
    </>
  );
}
