import type { Route } from "./+types/support.ts";
import { servicesContext } from "#app/request/context.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { pageTitle } from "#app/ui/page-title.ts";
import { TextLink } from "#app/ui/text-link.tsx";

export function meta() {
  return [{ title: pageTitle("Contact support") }];
}

export function loader({ context }: Route.LoaderArgs) {
  return { email: context.get(servicesContext).supportEmail };
}

export default function Support({ loaderData: { email } }: Route.ComponentProps) {
  return (
    <div className="page page--form stack">
      <PageHeader title="Contact support" lead="Our team reads every email." />
      <p>
        Email us at{" "}
        <a className="text-link" href={`mailto:${email}`}>
          {email}
        </a>
        . Write from the email of your account, and tell us the order ID if it's about an order.
      </p>
      <p>
        <strong>Never send us, or anybody else, your password or your M-Pesa PIN.</strong> We never ask for them.
      </p>
      <h2>Quicker ways</h2>
      <ul className="stack stack--tight" role="list">
        <li>
          A problem with something you bought: open the order under{" "}
          <TextLink to="/profile?tab=orders">My Orders</TextLink> and report it there.
        </li>
        <li>
          You can't log in: <TextLink to="/auth/forgot">get a link to choose a new password</TextLink>.
        </li>
        <li>
          The confirmation email didn't arrive: <TextLink to="/auth/check-email">send a new one</TextLink>.
        </li>
      </ul>
    </div>
  );
}
