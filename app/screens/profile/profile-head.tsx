import { Form } from "react-router";
import { MemberHeader } from "#app/accounts/components/member-header.tsx";
import type { Member } from "#app/accounts/member.server.ts";
import { REVIEW_ROLES } from "#app/db/states/review.ts";
import { ReviewLink } from "#app/reviews/components/review-link.tsx";
import { IconButton, LinkButton } from "#app/ui/button.tsx";
import { navigation } from "#app/ui/page/navigation.ts";

interface ProfileHeadProps {
  member: Member;
  viewerId: string;
  isAdmin: boolean;
  /** On phones, shows only the name, so that the content below is in sight. */
  compact: boolean;
  /** How many products are on their wishlist; undefined when the page doesn't know. */
  wishlist: number | undefined;
}

/** The head of the viewer's own profile, with the ways to their reviews and, for admins, to the team's screens. */
export function ProfileHead({ member, viewerId, isAdmin, compact, wishlist }: ProfileHeadProps) {
  return (
    <MemberHeader
      member={member}
      compact={compact}
      wishlist={wishlist}
      reviews={
        <>
          {REVIEW_ROLES.filter((role) => member.stars[role].some((count) => count > 0)).map((role) => (
            <li key={role}>
              <ReviewLink personId={viewerId} as={role} stars={member.stars[role]} />
            </li>
          ))}
        </>
      }
      ways={
        <>
          {isAdmin && (
            <LinkButton to={navigation.admin.to} size="small" variant="soft" icon={navigation.admin.icon}>
              {navigation.admin.label}
            </LinkButton>
          )}
          <LinkButton to="/following" size="small" variant="soft">
            Shops you follow
          </LinkButton>
          <LinkButton to="/saved-searches" size="small" variant="soft">
            Saved searches
          </LinkButton>
        </>
      }
      corner={
        <Form method="post" replace action="/logout">
          <IconButton type="submit" icon="log-out" label="Log out" />
        </Form>
      }
    />
  );
}
