import { type ReactNode, Suspense } from "react";
import { Await } from "react-router";
import type { Arriving } from "#app/catalogue/arriving.ts";
import { ErrorState } from "#app/ui/state.tsx";

interface ArrivalProps<T> {
  data: Arriving<T>;
  /** Another one is another screen, which waits in its own shape. */
  path: string;
  waiting: ReactNode;
  children: (data: Awaited<T>) => ReactNode;
}

/** A screen as soon as its data is there; until then its shape. */
export function Arrival<T extends object>({ data, path, waiting, children }: ArrivalProps<T>) {
  if ("failed" in data) return <LoadFailure />;
  return (
    <Suspense key={path} fallback={waiting}>
      <Await<T | Promise<T>> resolve={"later" in data ? data.later : data} errorElement={<LoadFailure />}>
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
