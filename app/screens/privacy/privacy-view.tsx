import { MIN_AGE } from "#app/accounts/login/account-rules.ts";
import { retainedTexts } from "#app/platform/retention-rules.ts";
import type { Controller } from "#app/request/services.ts";
import { brand } from "#app/ui/page/brand.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import type { Processor } from "./processor-rules.ts";

export interface PrivacyViewProps {
  controller: Controller;
  supportEmail: string;
  processors: readonly Processor[];
}

/** Days in which the operator answers somebody who asks about their data. */
const ANSWER_DAYS = 7;

/** What docs/law.md says that people must be told. */
export function PrivacyView({ controller, supportEmail, processors }: PrivacyViewProps) {
  return (
    <div className="page page--form stack">
      <PageHeader title="Privacy Policy" lead={`What ${brand.name} knows about you, and why.`} />
      <h2>Who answers for it</h2>
      <p>
        {[controller.name || brand.name, controller.address].filter((part) => part !== "").join(", ")}.
        {controller.registration !== "" &&
          ` Registered with the Office of the Data Protection Commissioner: ${controller.registration}.`}{" "}
        Write to{" "}
        <a className="text-link" href={`mailto:${supportEmail}`}>
          {supportEmail}
        </a>
        .
      </p>
      <WhatWeKeep />
      <h2>Who works for us, and where</h2>
      <ul className="stack stack--tight" role="list">
        {processors.map(({ name, does, place }) => (
          <li key={`${name} ${does}`}>
            {name} {does} ({place}).
          </li>
        ))}
      </ul>
      <p>
        Some of this is outside Kenya, because your account, your orders and our emails wouldn&apos;t work without it.
        Each gets only what it needs.
      </p>
      <h2>Cookies</h2>
      <p>
        We use cookies only to keep you logged in, to recognize a device you have logged in on, to show messages once,
        and to remember a few things: a login that is under way (for ten minutes), what you wanted to buy or ask while
        you log in (for an hour), the email you sign up with until you have confirmed it, your theme, your choice of
        Data saver, whether you want to see all campuses, and that your browser is too old for our scripts.
      </p>
      <p>
        Your browser also keeps your drafts, your latest searches and the products that you viewed. Where you stay
        logged in, it has a copy of your latest orders with their handover codes, and of your open sales, so that you
        can read them without a connection for up to 15 days. Logging out removes all of this.
      </p>
      <h2>How long we keep it</h2>
      <p>
        As long as you have an account. When you delete your account in Settings, we erase your name, phone, documents,
        messages and the words of your reviews. We keep orders and payment records without your name, because our
        accounts must stay complete. The buyer of something you sold can still read what you promised. Where our team
        has upheld a report, we also keep the codes made from your email and from the earlier ones. Our copies against
        loss forget what was erased within 30 days.
      </p>
      <p>These go sooner:</p>
      <ul className="stack stack--tight" role="list">
        {retainedTexts()
          .filter(({ isPersonal }) => isPersonal)
          .map(({ what, period, since }) => (
            <li key={what}>
              {what}: {period} after {since}.
            </li>
          ))}
      </ul>
      <YourRights />
    </div>
  );
}

function WhatWeKeep() {
  return (
    <>
      <h2>What we keep</h2>
      <ul className="stack stack--tight" role="list">
        <li>
          Your account: name, email, phone, campus, and a scrambled form of your password that nobody can read back. If
          you change your email, also a code made from the earlier one, from which nobody can read the address. If you
          have ever been an admin here, we keep such a code of that email for good.
        </li>
        <li>The student ID or business document, if you upload one.</li>
        <li>
          Your photo, listings and their photos, orders, meetings, messages, reviews, reports, cart, wishlist, saved
          searches and the shops that you follow. A search that you share shows what you look for and your campus to
          everybody who has its link, never your name.
        </li>
        <li>
          By whose link you signed up, if it was one. Your own link shows your first name to everybody who has it, and
          you read how many friends joined, not who.
        </li>
        <li>
          The serial numbers of things that you list or report as stolen: their last four characters, and a code that
          can be compared but not read. What you tell us about a theft, and its photos, only our team sees.
        </li>
        <li>Your M-Pesa payments: phone number, amount and receipt. We never see your PIN.</li>
        <li>
          The devices on which you turned on notifications: the browser&apos;s name, and the address that it gave us for
          them.
        </li>
        <li>
          For a short time, the network address of your device, to stop people from guessing passwords or flooding the
          site.
        </li>
      </ul>
      <p>We show no ads, use no trackers and sell no data.</p>
      <h2>Why we may</h2>
      <ul className="stack stack--tight" role="list">
        <li>To do what you ask us for: your account, listings, orders, meetings, messages and payments.</li>
        <li>Because the law asks for it: the records of payments.</li>
        <li>To keep people and money safe: documents, reports, and counts of tries.</li>
        <li>
          Because you said yes: notifications on a device, news by email, and your email on your seller page. You can
          say no again in Settings.
        </li>
      </ul>
      <h2>Who sees it</h2>
      <ul className="stack stack--tight" role="list">
        <li>Anyone who can see your listings sees your name and campus.</li>
        <li>
          Members see your email on your seller page only if you turn that on in Settings. The seller of an order sees
          what they need to hand the item over.
        </li>
        <li>
          Anyone can read the published reviews of sellers, and members those of buyers. They show only the first name
          of the person who wrote them.
        </li>
        <li>Only you and our team can open your documents. Our team reads reported conversations.</li>
      </ul>
    </>
  );
}

function YourRights() {
  return (
    <>
      <h2>{`If you're younger than ${MIN_AGE}`}</h2>
      <p>
        Please wait with an account until your birthday. Until then you can look at everything that is for sale. Tell us
        if you know of an account of somebody younger, and we close it.
      </p>
      <h2>Your rights</h2>
      <p>Kenya's Data Protection Act gives you these:</p>
      <ul className="stack stack--tight" role="list">
        <li>
          <strong>A copy</strong>, to read or to take elsewhere: in Settings, My data.
        </li>
        <li>
          <strong>Correct it</strong>: in Settings, Your details.
        </li>
        <li>
          <strong>Erase it</strong>: in Settings, Delete my account.
        </li>
        <li>
          <strong>Object to something, or ask for the rest</strong>: <TextLink to="/support">write to us</TextLink>. We
          answer within {ANSWER_DAYS} days.
        </li>
        <li>
          <strong>Complain</strong> to the Office of the Data Protection Commissioner, at odpc.go.ke.
        </li>
      </ul>
      <p>
        If somebody gets at your data who shouldn&apos;t, and it may harm you, we tell the Commissioner within 72 hours,
        and you as soon as we can.
      </p>
      <p>
        You can find the rules of the marketplace in the <TextLink to="/terms">Terms of Service</TextLink>.
      </p>
    </>
  );
}
