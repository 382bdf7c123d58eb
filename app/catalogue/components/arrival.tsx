import { type ReactNode, Suspense, use, useState } from "react";
import type { Arriving } from "#app/catalogue/arriving.ts";
import { ErrorState } from "#app/ui/state.tsx";

interface ArrivalProps<T> {
  data: Arriving<T>;
  /** A new value means another screen, which shows its own skeleton while it waits. */
  path: string;
  waiting: ReactNode;
  /** Replaces the words for products that couldn't be loaded. */
  failure?: ReactNode;
  children: (data: T) => ReactNode;
}

/** Shows a screen once its data is there, and its skeleton until then. */
export function Arrival<T extends object>(props: ArrivalProps<T>) {
  return <Screen key={props.path} {...props} />;
}

function Screen<T extends object>({ waiting, ...props }: ArrivalProps<T>) {
  // Data that was there from the start is rendered outside Suspense, because React would stream a long page in pieces
  // that scripts put together. Data that arrived later stays inside when fresh data comes, so that nothing is rendered
  // anew.
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

/** Shown when products couldn't be loaded. */
export function LoadFailure() {
  return (
    <div className="page">
      <ErrorState level={1} title="Failed to load products" sentence="Please check your connection and try again." />
    </div>
  );
}
