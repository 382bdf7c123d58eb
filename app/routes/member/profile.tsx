import { Suspense } from "react";
import { data } from "react-router";
import type { Route } from "./+types/profile.ts";
import { PROFILE_TAB_LABELS, profileTabs, readProfileTab } from "#app/accounts/profile/profile-tabs.ts";
import { readSettingsSection, settingsRow } from "#app/accounts/profile/settings-sections.ts";
import { findSettings } from "#app/accounts/profile/settings.server.ts";
import { useBasket } from "#app/basket/components/basket-provider.tsx";
import { readCursor } from "#app/catalogue/catalogue-rules.ts";
import { listedBy } from "#app/catalogue/selling/listed-by.server.ts";
import { requestContext, requireViewer, servicesContext } from "#app/request/context.ts";
import { findInbox } from "#app/messaging/conversations/conversations.server.ts";
import { markRead } from "#app/messaging/conversations/messages.server.ts";
import { findOrderHistory } from "#app/screens/profile/order-history.server.ts";
import { ProfileHead } from "#app/screens/profile/profile-head.tsx";
import { findMember, findMemberListings, findMemberWishlist } from "#app/screens/profile/profile.server.ts";
import { History, Listings, Messages, Orders, Settings, Wishlist } from "#app/screens/profile/tabs.ts";
import type { Services } from "#app/request/services.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { isNotFound } from "#app/ui/feedback/is-not-found.ts";
import { reloadsOnConflict } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ErrorState, TRY_AGAIN } from "#app/ui/feedback/state.tsx";
import { Skeleton } from "#app/ui/feedback/skeleton.tsx";
import { TabLinks } from "#app/ui/page/tabs.tsx";

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta(loaderData?.title ?? "Profile");
}

/** An offer or a meeting that has changed is shown as it is now. */
export const shouldRevalidate = reloadsOnConflict;

export async function loader({ request, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const found = await openTab(services, viewer, new URL(request.url));
  if (!found) throw data(null, { status: 404 });
  // Without scripts the page can't say later that it was read. This is how browsers mark what a person pressed; the
  // oldest, whose pages have no scripts, mark nothing.
  const isPressed = request.headers.get("Sec-Fetch-User") === "?1" || context.get(requestContext).plain;
  if (found.tab === "messages" && found.inbox.open && !found.isOlder && isPressed) {
    const { id, unread } = found.inbox.open.conversation;
    if (unread > 0) services.defer(markRead(services, viewer.id, { with: id }));
  }
  return { viewerId: viewer.id, isAdmin: viewer.adminRole !== null, title: titleOf(found), ...found };
}

/** The screen's title. A conversation and a section of the settings are screens of their own on a phone. */
function titleOf(found: NonNullable<Awaited<ReturnType<typeof openTab>>>): string {
  if (found.tab === "messages" && found.inbox.open) return `Messages with ${found.inbox.open.conversation.name}`;
  if (found.tab === "settings" && found.section !== null) return `${settingsRow(found.section).title} in your settings`;
  return `${PROFILE_TAB_LABELS[found.tab]} in your profile`;
}

/** Loads the profile's head and the content of one tab; null when there is no profile. One round trip. */
async function openTab(services: Services, { id, isSeller }: { id: string; isSeller: boolean }, url: URL) {
  const { db, now } = services;
  const tab = readProfileTab(url.searchParams.get("tab"), isSeller);
  const after = url.searchParams.get("after");
  switch (tab) {
    case "listings": {
      const found = await findMemberListings(db, id, after);
      // A further page of a list is loaded by itself, without the rest of the profile.
      return found && { tab, member: found.member, ...found.listings };
    }
    case "wishlist": {
      const found = await findMemberWishlist(db, id);
      return found && { tab, ...found };
    }
    case "history": {
      const member = await findMember(db, id);
      return member && { tab, member };
    }
    case "orders": {
      const found = await findOrderHistory(services, id, readCursor(after));
      return found && { tab, ...found };
    }
    case "messages": {
      const withId = url.searchParams.get("with");
      const before = readCursor(url.searchParams.get("before"));
      const found = await findInbox(services, id, { withId, after, before });
      return (
        found && {
          tab,
          member: found.member,
          inbox: found.inbox,
          withId,
          isOlder: before !== null,
          now: now(),
          origin: url.origin,
          messageKey: crypto.randomUUID(),
        }
      );
    }
    case "settings": {
      const settings = await findSettings(services, id, listedBy(id));
      const section = readSettingsSection(url.searchParams.get("section"));
      return settings && { tab, settings, section, member: settings.member };
    }
  }
}

export default function Profile({ loaderData }: Route.ComponentProps) {
  const { tab, member } = loaderData;
  const basket = useBasket();
  return (
    <div
      className={classNames(
        "page stack stack--loose",
        loaderData.tab === "messages" && loaderData.withId !== null && "page--conversation",
      )}
    >
      <ProfileHead
        member={member}
        viewerId={loaderData.viewerId}
        isAdmin={loaderData.isAdmin}
        compact={tab !== readProfileTab(null, member.isSeller)}
        wishlist={basket?.wishlist.size}
      />
      <TabLinks
        label="Profile"
        tabs={profileTabs(member.isSeller).map((each) => ({
          to: `/profile?tab=${each}`,
          label: PROFILE_TAB_LABELS[each],
          current: tab === each,
        }))}
      />
      <Suspense fallback={<Skeleton shape="text" />}>
        <Tab loaderData={loaderData} />
      </Suspense>
    </div>
  );
}

function Tab({ loaderData }: Pick<Route.ComponentProps, "loaderData">) {
  switch (loaderData.tab) {
    case "listings":
      return <Listings first={loaderData} />;
    case "wishlist":
      return <Wishlist items={loaderData.wishes} />;
    case "history":
      return <History key={loaderData.viewerId} />;
    case "orders":
      return <Orders history={loaderData} />;
    case "messages":
      return <Messages {...loaderData} />;
    case "settings":
      return <Settings settings={loaderData.settings} section={loaderData.section} />;
  }
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const missing = isNotFound(error);
  return (
    <div className="page">
      <ErrorState
        level={1}
        title={missing ? "Profile not found" : "We couldn't load your profile"}
        sentence={missing ? "Profile not found. Please sign in again or contact support." : TRY_AGAIN}
        action={missing ? <LinkButton to="/support">Contact support</LinkButton> : undefined}
      />
    </div>
  );
}
