import { useEffect } from "react";
import { UnseenPayment } from "./failure.tsx";
import { ErrorState } from "./state.tsx";
import { toast } from "./toast.ts";

/** A screen whose data couldn't be loaded: says so, also in a toast, and offers to try again. */
export function LoadFailed({ title, paying = false }: { title: string; paying?: boolean }) {
  useEffect(() => toast.error(title), [title]);
  return paying ? <UnseenPayment title={title} /> : <ErrorState level={1} title={title} />;
}
