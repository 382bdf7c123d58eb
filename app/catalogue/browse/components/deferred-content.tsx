import { type ReactNode, Suspense, use, useState } from "react";
import type { Deferred } from "#app/catalogue/browse/deferred.ts";
import { ErrorState } from "#app/ui/feedback/state.tsx";

interface DeferredContentProps<T> {
  data: Deferred<T>;
  /** A new value means another screen, which shows its own skeleton while it waits. */
  path: string;
  waiting: ReactNode;
  /** Replaces the words for products that couldn't be loaded. */
  failure?: ReactNode;
  children: (data: T) => ReactNode;
}

/** Shows a screen once its data is there, and its skeleton until then. */
export function DeferredContent<T extends object>(props: DeferredContentProps<T>) {
  return <Screen key={props.path} {...props} />;
}

function Screen<T extends object>({ waiting, ...props }: DeferredContentProps<T>) {
  // Data that was there from the start is rendered outside Suspense, because React would stream a long page in pieces
  // that scripts put together. Data that came later stays inside when fresh data comes, so that nothing is rendered
  // anew.
  const [waited] = useState("later" in props.data);
  if (!waited && !("later" in props.data)) return <LoadedContent {...props} />;
  return (
    <Suspense fallback={waiting}>
      <LoadedContent {...props} />
    </Suspense>
  );
}

function LoadedContent<T extends object>({
  data,
  failure = <LoadFailure />,
  children,
}: Omit<DeferredContentProps<T>, "waiting">) {
  const loaded = "later" in data ? use(data.later) : data;
  return "failed" in loaded ? failure : children(loaded);
}

/** The content of a screen of products that couldn't be loaded. */
export function LoadFailure() {
  return (
    <div className="catalogue__main">
      <ErrorState level={1} title="Failed to load products" />
    </div>
  );
}
