import { useEffect } from "react";
import { ErrorState } from "./state.tsx";
import { toast } from "./toast.ts";

/** A whole screen whose data did not come: says what could not be loaded, also in passing (commerce spec §8), and tries again on a press. */
export function LoadFailed({ title }: { title: string }) {
  useEffect(() => toast.error(title), [title]);
  return <ErrorState level={1} title={title} sentence="Please check your connection and try again." />;
}
