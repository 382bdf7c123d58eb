import { LinkButton } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";

/** Where followed shops would be: the viewer follows none. */
export function FollowsNone() {
  return (
    <EmptyState
      icon="store"
      title="You don't follow a shop yet"
      sentence="Press Follow on a shop you like. What it lists then appears here."
      action={<LinkButton to="/studentmarketplace/shops">Find Shops</LinkButton>}
    />
  );
}
