import type { ComponentProps } from "react";
import { data, Form, isRouteErrorResponse } from "react-router";
import type { Route } from "./+types/profile.ts";
import { MemberHeader } from "#app/accounts/components/member-header.tsx";
import { SettingsView } from "#app/accounts/components/settings-view.tsx";
import { findSettings } from "#app/accounts/settings.server.ts";
import { readCursor } from "#app/catalogue/rules.ts";
import { requireViewer, servicesContext } from "#app/context.ts";
import { Inbox } from "#app/messaging/components/inbox.tsx";
import { findInbox } from "#app/messaging/conversations.server.ts";
import { OrderList } from "#app/orders/components/order-list.tsx";
import { findOrderHistory } from "#app/orders/order-history.server.ts";
import { RestartButton } from "#app/tutorial/components/restart-button.tsx";
import { IconButton, LinkButton } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { pageTitle } from "#app/ui/page-title.ts";
import { EmptyState, ErrorState } from "#app/ui/state.tsx";
import { TabLinks } from "#app/ui/tabs.tsx";

export function meta() {
  return [{ title: pageTitle("Profile") }];
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const { db } = context.get(servicesContext);
  const { id } = requireViewer(context);
  if (searchParams.get("tab") === "settings") {
    const settings = await findSettings(db, id);
    if (!settings) throw data(null, { status: 404 });
    return { tab: "settings" as const, settings, member: settings.member };
  }
  if (searchParams.get("tab") === "messages") {
    const withId = searchParams.get("with");
    const found = await findInbox(db, id, { withId, after: searchParams.get("after") });
    if (!found) throw data(null, { status: 404 });
    return { tab: "messages" as const, member: found.member, inbox: found.inbox, viewerId: id, withId, now: Date.now(), origin: new URL(request.url).origin, formKey: crypto.randomUUID() };
  }
  const history = await findOrderHistory(db, id, readCursor(searchParams.get("after")));
  if (!history) throw data(null, { status: 404 });
  return { tab: "orders" as const, ...history };
}

export default function Profile({ loaderData }: Route.ComponentProps) {
  const { tab, member } = loaderData;
  return (
    <div className={classNames("page stack stack--loose", loaderData.tab === "messages" && loaderData.withId !== null && "page--conversation")}>
      <div className="profile__head">
        <MemberHeader member={member} />
        <Form method="post" action="/logout">
          <IconButton type="submit" icon="log-out" label="Log out" />
        </Form>
      </div>
      <TabLinks
        label="Profile"
        tabs={[
          { to: "/profile", label: "My Orders", current: tab === "orders" },
          { to: "/profile?tab=messages", label: "Messages", current: tab === "messages" },
          { to: "/profile?tab=settings", label: "Settings", current: tab === "settings" },
        ]}
      />
      {loaderData.tab === "settings" && <SettingsView settings={loaderData.settings} tutorial={<RestartButton />} />}
      {loaderData.tab === "messages" && <Inbox {...loaderData} {...loaderData.inbox} />}
      {loaderData.tab === "orders" && <Orders history={loaderData} />}
    </div>
  );
}

function Orders({ history }: { history: ComponentProps<typeof OrderList>["first"] }) {
  return (
    <section className="stack" aria-labelledby="orders">
      <h2 id="orders" className="visually-hidden">
        My Orders
      </h2>
      {history.orders.length === 0 ? (
        <EmptyState
          icon="package"
          title="No orders yet"
          sentence="What you buy shows here, with everything you need to follow it."
          action={<LinkButton to="/studentmarketplace">Start Shopping</LinkButton>}
        />
      ) : (
        <OrderList first={history} path="/profile?tab=orders" />
      )}
    </section>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const missing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <div className="page">
      <ErrorState
        level={1}
        title={missing ? "Profile not found" : "Your profile could not be loaded"}
        sentence={missing ? "Profile not found. Please sign in again or contact support." : "Please check your connection and try again."}
      />
    </div>
  );
}
