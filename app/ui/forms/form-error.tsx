import { Callout } from "#app/ui/feedback/callout.tsx";

/** Why a form was refused as a whole, above its fields. Nothing without an error. */
export function FormError({ error }: { error: string | undefined }) {
  if (!error) return null;
  return (
    <Callout tone="red" role="alert">
      {error}
    </Callout>
  );
}
