import type { Route } from "./+types/support.ts";
import { servicesContext } from "#app/request/context.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { TextLink } from "#app/ui/text-link.tsx";

export function meta() {
  return pageMeta("Contact support");
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
        . Use the email of your account. If it's about an order, include the order number.
      </p>
      <p>
        <strong>Never send your password or M-Pesa PIN to anyone, including us.</strong> We'll never ask for them.
      </p>
      <h2>Quicker answers</h2>
      <ul className="stack stack--tight" role="list">
        <li>
          Most questions have an answer in <TextLink to="/help">Help</TextLink>. Or{" "}
          <TextLink to="/help/contact">write to us here</TextLink>.
        </li>
        <li>
          A problem with something you bought? Open the order under{" "}
          <TextLink to="/profile?tab=orders">My Orders</TextLink> and report it there.
        </li>
        <li>
          Can't log in? <TextLink to="/auth/forgot">Get a link to choose a new password</TextLink>.
        </li>
        <li>
          Didn't get the confirmation email? <TextLink to="/auth/check-email">Send a new one</TextLink>.
        </li>
      </ul>
    </div>
  );
}
