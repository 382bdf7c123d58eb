import { type ReactNode, Suspense, use, useState } from "react";
import type { Arriving } from "#app/catalogue/arriving.ts";
import { ErrorState } from "#app/ui/state.tsx";

interface ArrivalProps<T> {
  data: Arriving<T>;
  /** Another one is another screen, which waits in its own shape. */
  path: string;
  waiting: ReactNode;
  /** Instead of the words for products that could not be loaded. */
  failure?: ReactNode;
  children: (data: T) => ReactNode;
}

/** A screen as soon as its data is there; until then its shape. */
export function Arrival<T extends object>(props: ArrivalProps<T>) {
  return <Screen key={props.path} {...props} />;
}

function Screen<T extends object>({ waiting, ...props }: ArrivalProps<T>) {
  // What began with its data stays outside of Suspense, which would stream a long page in pieces that scripts put together.
  // What did not stays inside when fresh data comes, so that nothing is drawn anew.
  const [waited] = useState("later" in props.data);
  if (!waited && !("later" in props.data)) return <Arrived {...props} />;
  return (
    <Suspense fallback={waiting}>
      <Arrived {...props} />
    </Suspense>
  );
}

function Arrived<T extends object>({ data, failure = <LoadFailure />, children }: Omit<ArrivalProps<T>, "waiting">) {
  const arrived = "later" in data ? use(data.later) : data;
  return "failed" in arrived ? failure : children(arrived);
}

/** Shown where products could not be loaded. */
export function LoadFailure() {
  return (
    <div className="page">
      <ErrorState level={1} title="Failed to load products" sentence="Please check your connection and try again." />
    </div>
  );
}
