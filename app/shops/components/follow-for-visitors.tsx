import { LinkButton } from "#app/ui/button.tsx";

/** For visitors: leads to the login and back. */
export function FollowForVisitors({ shop }: { shop: { id: string; name: string } }) {
  return (
    <LinkButton to={`/auth?to=${encodeURIComponent(`/seller/${shop.id}`)}`} icon="plus">
      Follow
      <span className="visually-hidden"> {shop.name}</span>
    </LinkButton>
  );
}
