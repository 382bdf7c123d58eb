import { TextLink } from "#app/ui/text-link.tsx";
import "#app/orders/components/orders.css";
import "./deals.css";
import type { ProblemAnswer } from "#app/deals/problems/problem-forms.ts";
import type { ProblemPage } from "#app/deals/problems/problem-page.server.ts";
import { PROBLEM_NAMES } from "#app/deals/problems/problem-rules.ts";
import type { ProblemSummary } from "#app/deals/problems/problem-summary.server.ts";
import { ITEM } from "#app/db/states/item.ts";
import { PhotoStrip } from "#app/catalogue/photos/components/photo-strip.tsx";
import { imageSources } from "#app/catalogue/photos/image-sources.ts";
import { OrderedListingFacts } from "#app/orders/components/ordered-listing.tsx";
import { ItemBadge } from "#app/orders/components/status-badges.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { formatPrice } from "#app/ui/money.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { usePolling } from "#app/ui/browser/use-polling.ts";
import { TextWarning } from "#app/ui/forms/text-warning.tsx";
import { DealHistory, type ShownLine } from "./deal-history.tsx";
import { ProblemAnswers } from "./problem-answers.tsx";
import { ProblemForm } from "./problem-form.tsx";

/** How often the page reloads its data, in ms. */
const REFRESH_MS = 60_000;

interface ProblemViewProps extends Pick<ProblemPage, "item" | "role" | "problem"> {
  history: readonly ShownLine[];
  summary: ProblemSummary;
  answer: ProblemAnswer | null;
}

/** A reported problem for one side: what was reported, what happens next, and what they can do. */
export function ProblemView({ item, role, problem, history, summary, answer }: ProblemViewProps) {
  usePolling(REFRESH_MS, true);
  const orderPath = role === "buyer" ? `/orders/${item.orderId}` : `/seller/orders/${item.id}`;
  const { isNew } = summary;
  return (
    <div className="page page--reading stack">
      <PageHeader
        title={isNew ? "Report a Problem" : problem ? "Reported Problem" : "Our Decision"}
        lead={item.name}
        back={{ to: orderPath, label: role === "buyer" ? "The order" : "The sale" }}
      />
      {isNew ? (
        <NewProblem item={item} summary={summary} answer={answer} />
      ) : (
        <OpenProblem {...{ item, role, problem, history, summary, answer, orderPath }} />
      )}
      <p>
        <TextLink to={`/help/contact?order=${item.orderId}`}>Get help with this order</TextLink>
      </p>
    </div>
  );
}

function NewProblem({
  item,
  summary: { refusal, answerTime },
  answer,
}: Pick<ProblemViewProps, "item" | "summary" | "answer">) {
  if (refusal !== null) {
    return (
      <Callout tone="gray" title="You can't report a problem now">
        <span className="row row--apart">
          {refusal}
          <LinkButton to={`/orders/${item.orderId}`} size="small" variant="soft">
            Open the Order
          </LinkButton>
        </span>
      </Callout>
    );
  }
  return (
    <>
      <ItemLine item={item} />
      {item.subtotal > 0 && (
        <Callout tone="gold" icon="shield-check" title="Your money stays with us">
          The seller has {answerTime} to refund you or to offer a part of your money back. If you two don't agree, our
          team decides.
        </Callout>
      )}
      <section className="card">
        <ProblemForm answer={answer} />
      </section>
    </>
  );
}

function OpenProblem({
  item,
  role,
  problem,
  history,
  summary: { next },
  answer,
  orderPath,
}: ProblemViewProps & { orderPath: string }) {
  const other = role === "buyer" ? item.sellerName : item.buyerName;
  // The seller reads it before they answer. The buyer knows what they wrote.
  const reported = problem && (
    <section className="card stack" aria-labelledby="reported">
      <h2 id="reported">{PROBLEM_NAMES[problem.kind]}</h2>
      <p className="problem-text">{problem.description}</p>
      <TextWarning>{problem.warning}</TextWarning>
      <PhotoStrip label="Photos of the problem" images={problem.photos} name={item.name} />
      <p className="quiet">
        {`${role === "buyer" ? "You reported this" : `Reported by ${item.buyerName}`} on ${formatDateTime(problem.openedAt)}.`}
      </p>
    </section>
  );
  return (
    <>
      <ItemLine item={item} />
      <Callout tone={next.tone} icon={next.icon} title={next.title}>
        {next.sentence}
      </Callout>
      {role === "seller" && reported}
      {problem && <ProblemAnswers role={role} status={item.status} price={item} problem={problem} answer={answer} />}
      {role === "buyer" && reported}
      <section className="row row--apart" aria-label="Messages">
        <p className="quiet">
          {ITEM.isOver(item.status)
            ? `Your messages with ${other} stay on the order.`
            : `You can also talk it over with ${other}.`}
        </p>
        <LinkButton to={orderPath} variant="soft" icon="message-circle">
          Open Messages
        </LinkButton>
      </section>
      {history.length > 0 && (
        <section className="card stack" aria-labelledby="history">
          <h2 id="history">What happened</h2>
          <DealHistory entries={history} />
        </section>
      )}
    </>
  );
}

function ItemLine({ item }: Pick<ProblemPage, "item">) {
  return (
    <>
      <div className="order-line">
        <div className="order-line__photo">
          <Photo {...imageSources(item.image, "72px")} alt="" fill />
        </div>
        <div className="order-line__words">
          <p className="order-line__name">{item.name}</p>
          <p className="order-line__fact">{formatPrice(item.subtotal)}</p>
          <p className="order-line__badge">
            <ItemBadge status={item.status} handover={item.handover} />
          </p>
        </div>
      </div>
      <OrderedListingFacts ordered={item.ordered} name={item.name} />
    </>
  );
}
