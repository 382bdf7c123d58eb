import { type ReactNode, Suspense, useState } from "react";
import { Await } from "react-router";
import type { Arriving } from "#app/catalogue/arriving.ts";
import { ErrorState } from "#app/ui/state.tsx";

interface ArrivalProps<T> {
  data: Arriving<T>;
  /** Another one is another screen, which waits in its own shape. */
  path: string;
  waiting: ReactNode;
  /** Instead of the words for products that could not be loaded. */
  failure?: ReactNode;
  children: (data: Awaited<T>) => ReactNode;
}

/** A screen as soon as its data is there; until then its shape. */
export function Arrival<T extends object>(props: ArrivalProps<T>) {
  return <Screen key={props.path} {...props} />;
}

function Screen<T extends object>({ data, waiting, failure = <LoadFailure />, children }: ArrivalProps<T>) {
  // What began with its data stays outside of Suspense, which would stream a long page in pieces that scripts put together.
  // What did not stays inside when fresh data comes, so that nothing is drawn anew.
  const [waited] = useState("later" in data);
  if ("failed" in data) return failure;
  if (!waited && !("later" in data)) return children(data as Awaited<T>);
  return (
    <Suspense fallback={waiting}>
      <Await<T | Promise<T>> resolve={"later" in data ? data.later : data} errorElement={failure}>
        {children}
      </Await>
    </Suspense>
  );
}

/** Products could not be loaded (commerce spec §8). */
export function LoadFailure() {
  return (
    <div className="page">
      <ErrorState level={1} title="Failed to load products" sentence="Please check your connection and try again." />
    </div>
  );
}
