import "./help.css";
import type { ReactNode } from "react";
import { CODE_DIGITS } from "#app/deals/code/code-length-rules.ts";
import { checkText, withinText } from "#app/deals/words/deal-promises.ts";
import { FRONT_PATH } from "#app/public-links.ts";
import { buttonClass, LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import type { IconName } from "#app/ui/pictures/icon-names.ts";

interface ProtectionViewProps {
  /** How long a buyer can report a problem after delivery, in hours; 0 where there is no such time. */
  inspectionHours: number;
  isMember: boolean;
}

/** How paying is protected, in five steps. */
export function ProtectionView({ inspectionHours, isMember }: ProtectionViewProps) {
  return (
    <div className="page page--reading stack">
      <PageHeader title="How paying is protected" lead="Your money is the seller's only when you have the item." />
      <ol className="protection" role="list">
        {steps(inspectionHours).map(({ icon, title, text }, index) => (
          <li key={icon} className="protection__step">
            <Icon name={icon} />
            <div>
              <h2 className="protection__title">
                {index + 1}. {title}
              </h2>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ol>
      <Callout tone="orange" icon="circle-alert">
        <p>This holds only for what you pay on Chuoni. Never pay a seller directly, whatever they say.</p>
      </Callout>
      <p>
        <TextLink to="/help/kinds">Rooms, tickets, services and food</TextLink> have a moment of their own for the code.
      </p>
      <div className="row">
        {isMember ? (
          <LinkButton to="/studentmarketplace">Start Shopping</LinkButton>
        ) : (
          <a className={buttonClass({})} href={FRONT_PATH}>
            See What's for Sale
          </a>
        )}
        <LinkButton to="/help" variant="soft">
          More Answers
        </LinkButton>
      </div>
    </div>
  );
}

function steps(inspectionHours: number): { icon: IconName; title: string; text: ReactNode }[] {
  return [
    {
      icon: "smartphone",
      title: "You pay by M-Pesa, and we hold the money",
      text: "You type your PIN on your own phone. The seller sees that you have paid, but doesn't have the money yet.",
    },
    {
      icon: "map-pin",
      title: "You meet in a public place",
      text: `You two agree where and when. If the item isn't handed over or shipped within ${withinText("thing")}, you get all your money back.`,
    },
    {
      icon: "package-check",
      title: "You check the item",
      text: "Turn it on, try it, compare it with the listing. Not right? Don't take it, and cancel on the order page.",
    },
    {
      icon: "shield-check",
      title: "You give your code",
      text: `Your order page has ${CODE_DIGITS} digits. When you hold the item and it's fine, give them to the seller: we pay the seller at once.`,
    },
    {
      icon: "circle-alert",
      title: "Something wrong? Report it",
      text:
        inspectionHours > 0 ? (
          <>
            Without your code, you can report a problem with a thing for {checkText("thing", inspectionHours)} after
            delivery, and with <TextLink to="/help/kinds">rooms, tickets, services and food</TextLink> for times of
            their own. The money then stays with us until you two or our team have settled it. A refund goes to the
            number that paid.
          </>
        ) : (
          "When you report a problem, the money stays with us until you two or our team have settled it. A refund goes to the number that paid."
        ),
    },
  ];
}
