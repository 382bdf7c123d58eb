import {
  friendsText,
  type OwnInvitations,
  ownUncountedText,
  type UncountedDeals,
  uncountedText,
  WEEKS_AHEAD_MAX,
} from "#app/accounts/invitations/invitation-rules.ts";
import { settingsPath } from "#app/accounts/profile/settings-path.ts";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { brand } from "#app/ui/page/brand.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { LinkField } from "#app/ui/sharing/link-field.tsx";
import { ShareButton } from "#app/ui/sharing/share-button.tsx";
import { TextLink } from "#app/ui/text-link.tsx";

interface InviteViewProps {
  /** The path of their link. */
  path: string;
  origin: string;
  own: OwnInvitations;
  uncounted: UncountedDeals;
}

/** A member's link, what it brings, and what it has brought. */
export function InviteView({ path, origin, own, uncounted }: InviteViewProps) {
  const url = origin + path;
  const invitedBy = own.isInvitationOpen ? own.invitedBy : undefined;
  return (
    <div className="page page--form stack stack--loose">
      <PageHeader
        title="Bring a friend"
        lead="Your friend signs up with your link. When their first deal ends with the handover code, your shop and theirs are featured for a week."
        back={{ to: settingsPath(), label: "Settings" }}
      />
      {invitedBy !== undefined && <Invited by={invitedBy} hasTried={uncounted.own} />}
      <section className="card stack" aria-label="Your link">
        <LinkField url={url} label="Your link" />
        <ShareButton
          variant={invitedBy === undefined ? "solid" : "soft"}
          wide
          shared={{
            name: "your link",
            price: null,
            path,
            posterPath: null,
            title: "Bring a friend",
            question: `Join me on ${brand.name}, our campus market. You pay by M-Pesa, and the seller gets the money once you have the item.`,
          }}
        />
        <p className="quiet">{friendsText(own)}</p>
        {uncounted.friends > 0 && <p className="quiet">{withWholeAmounts(uncountedText(uncounted.friends))}</p>}
      </section>
      <Weeks own={own} />
      <section className="stack stack--tight">
        <h2>What counts</h2>
        <ul className="stack stack--tight" role="list">
          <li>
            Your friend buys from or sells to somebody who isn't you or another friend you invited, and it's paid by
            M-Pesa.
          </li>
          <li>Nobody else here uses your friend's M-Pesa number, and the other person doesn't use yours.</li>
          <li>Each friend counts once. Your weeks add up, to {WEEKS_AHEAD_MAX} at most.</li>
        </ul>
        <p>
          <TextLink to="/subscription">What featured shops get</TextLink>
        </p>
      </section>
    </div>
  );
}

/** To somebody who came by a link, until their first deal counts. */
function Invited({ by, hasTried }: { by: string | null; hasTried: boolean }) {
  const friend = by ?? "your friend";
  return (
    <Callout tone="gold" icon="send" title={by === null ? "A friend invited you" : `${by} invited you`}>
      <div className="stack">
        <p>
          Buy or sell something, and finish with the handover code. Then your shop and {friend}'s are featured for a
          week. A deal between the two of you doesn't count.
        </p>
        {hasTried && <p>{withWholeAmounts(ownUncountedText(friend))}</p>}
        <p className="row">
          <LinkButton to="/studentmarketplace" size="small">
            See What's New
          </LinkButton>
          <LinkButton to="/add-product" variant="soft" size="small">
            Sell Something
          </LinkButton>
        </p>
      </div>
    </Callout>
  );
}

/** How long their shop is featured, and what waits for it. */
function Weeks({ own: { featuredUntil, weeksWaiting } }: Pick<InviteViewProps, "own">) {
  if (weeksWaiting > 0)
    return (
      <Callout tone="green" title={weeksWaiting === 1 ? "A week waits for you" : `${weeksWaiting} weeks wait for you`}>
        <div className="stack">
          <p>{weeksWaiting === 1 ? "It begins" : "They begin"} when you post your next listing.</p>
          <p>
            <LinkButton to="/add-product" size="small">
              Post a Listing
            </LinkButton>
          </p>
        </div>
      </Callout>
    );
  if (featuredUntil === null) return null;
  return <Callout tone="green">Your shop is featured until {formatDateTime(featuredUntil)}.</Callout>;
}
