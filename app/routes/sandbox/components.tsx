import { SamplesView } from "#app/screens/component-samples/samples-view.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta() {
  return pageMeta("Components");
}

/** For engineers, and only where the sandbox is. */
export default function Components() {
  return <SamplesView />;
}
