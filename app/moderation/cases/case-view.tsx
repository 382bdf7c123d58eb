import { Fragment, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { Form, Link, useLocation } from "react-router";
import type { CaseAnswer } from "./case-forms.ts";
import { ADMIN_TEXT_MAX, ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import { reasonsOf, titleOf } from "./case-summary.ts";
import { caseStatus, decisionLabel, SUBJECT_LABELS } from "./case-texts.ts";
import type { Claim } from "#app/team/claim-rules.ts";
import type { CaseMessage, CasePage } from "./find-case.server.ts";
import { picturesOf } from "./person-pictures.ts";
import { imageSources, largestPath, photoPath } from "#app/catalogue/photos/image-sources.ts";
import { previewPath } from "#app/catalogue/photos/photo-rules.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { CASE, CASE_DECISIONS } from "#app/db/states/moderation.ts";
import { REASONS } from "#app/moderation/reports/report-rules.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { FLAG_NUMBER_KEYS_OFF } from "#app/ui/browser/browser-flags.ts";
import { Button } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { formatDate, formatDateTime } from "#app/ui/dates.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { useFormDraft } from "#app/ui/forms/use-form-draft.ts";
import { TextArea } from "#app/ui/forms/form-fields.tsx";
import { formatKes } from "#app/ui/money.ts";
import { listSearch } from "#app/team/components/desk.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { useBrowserFlag } from "#app/ui/browser/use-browser-flag.ts";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { ClaimPart, useIsTaken } from "#app/team/components/claim-part.tsx";
import { NoteForm } from "#app/team/components/admin-form.tsx";
import { Conversation, History, Part, personFacts } from "./case-parts.tsx";
import { ChangeList } from "./changes.tsx";
import { Facts, More } from "#app/team/components/page-parts.tsx";
import { useNumberKeys } from "#app/team/components/use-keys.ts";

interface CaseViewProps {
  page: CasePage;
  /** Which admin works on it; null for none. */
  claim: Claim | null;
  answer: CaseAnswer | null;
}

/** One case: what was reported with its context, the decision, and what was decided before. */
export function CaseView({ page, claim, answer }: CaseViewProps) {
  const { case: open, conversation, history } = page;
  const { search } = useLocation();
  return (
    <>
      <PageHeader
        title={`${SUBJECT_LABELS[open.subject]}: ${page.refusal === "concerned" ? "about you" : titleOf(open)}`}
        lead={formatDateTime(open.createdAt)}
        back={{ to: `/admin/moderation${listSearch(search)}`, label: "To decide" }}
      />
      <ReportedPart page={page} />
      {CASE.awaitsTeam(open.state) && !page.refusal && <ClaimPart subject={open.id} claim={claim} answer={answer} />}
      {open.decision !== null && <DecisionPart case={open} />}
      {open.appeal !== null && <AppealPart case={open} />}
      <NextStep page={page} claim={claim} answer={answer} />
      <NoteForm subject={open.id} answer={answer} />
      <PersonPart page={page} />
      <Conversation page={conversation} first={open.subject === "message" ? "Reported message" : undefined}>
        <Messages messages={conversation.messages} />
      </Conversation>
      <History entries={history} />
    </>
  );
}

/** What was reported, as it is now and as it was, and by whom. */
function ReportedPart({ page }: { page: CasePage }) {
  const { case: open, reports, listing, review, thefts, reported, copied, isGone } = page;
  const status = caseStatus(open);
  return (
    <section className="card stack" aria-label="Case">
      <div className="row">
        <StatusBadge tone={status.tone}>{status.label}</StatusBadge>
        {open.upheld > 0 && <StatusBadge tone="red">Earlier cases upheld: {open.upheld}</StatusBadge>}
      </div>
      <Facts facts={[["Why", reasonsOf(open)]]} />
      {listing && <ListingPart listing={listing} />}
      {review && <ReviewPart review={review} isReplyReported={open.subject === "reply"} />}
      {reported && <Messages messages={[reported]} />}
      {copied && (isGone || copied.edits.length > 0) && (
        <CopiedPart copied={copied} isGone={isGone} decidedAt={open.decidedAt} />
      )}
      {thefts.length > 0 && (
        <>
          <ul className="stack stack--tight" role="list" aria-label="Reported as stolen">
            {thefts.map((theft) => (
              <Theft key={theft.id} theft={theft} />
            ))}
          </ul>
          {open.state === "open" && (
            <p className="quiet small">
              Publishing takes the serial number off this listing. The reports stand: suspend whoever made a false one,
              and theirs counts no more.
            </p>
          )}
        </>
      )}
      {reports.length > 0 && (
        <ul className="stack stack--tight" role="list" aria-label="Reports">
          {reports.map((report) => (
            <Report key={report.id} report={report} about={open} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Theft({ theft }: { theft: CasePage["thefts"][number] }) {
  const { reporter, createdAt, endedAt, ending, text, images } = theft;
  return (
    <li>
      <p className="quiet small">
        {reporter ?? "Somebody"}, {formatDateTime(createdAt)}: the serial number that ends in {ending} was stolen
      </p>
      {endedAt !== null && <p>Counts no more since {formatDateTime(endedAt)}: it was taken back</p>}
      <p className="admin__quote">{text}</p>
      <Photos images={images} name="the proof" />
    </li>
  );
}

function Report({ report, about }: { report: CasePage["reports"][number]; about: CasePage["case"] }) {
  return (
    <li>
      <p className="quiet small">
        {report.reporter ?? "Somebody"}, {formatDateTime(report.createdAt)}: {REASONS[report.reason].label}
      </p>
      {report.editedAt !== null && <p className="quiet small">Saw it as edited on {formatDateTime(report.editedAt)}</p>}
      {report.text !== "" && <p className="admin__quote">{report.text}</p>}
      {report.talk.length > 0 && (
        <More label="The conversation when it was reported">
          <Messages
            messages={report.talk.map((message) => ({
              ...message,
              isSubject: about.subject === "message" && message.id === about.subjectId,
            }))}
          />
        </More>
      )}
    </li>
  );
}

function DecisionPart({ case: { statement, decidedBy, decidedAt } }: Pick<CasePage, "case">) {
  return (
    <Part title="Decision">
      {statement && <p className="admin__quote">{statement}</p>}
      <Facts
        facts={[
          ["Decided by", decidedBy],
          ["When", decidedAt && formatDateTime(decidedAt)],
        ]}
      />
    </Part>
  );
}

function AppealPart({ case: { appeal, appealedAt, appealDecidedBy, closedAt, appealAnswer } }: Pick<CasePage, "case">) {
  return (
    <Part title="Appeal">
      <p className="admin__quote">{appeal}</p>
      <Facts
        facts={[
          ["Sent", appealedAt && formatDateTime(appealedAt)],
          ["Answered by", appealDecidedBy],
          ["Answered", closedAt && formatDateTime(closedAt)],
        ]}
      />
      {appealAnswer && <p className="admin__quote">{appealAnswer}</p>}
    </Part>
  );
}

/** The form for what is to decide now, or why this admin decides nothing. */
function NextStep({ page, claim, answer }: CaseViewProps) {
  const { case: open, refusal, seenAt } = page;
  const isTaken = useIsTaken(claim);
  const answerTo = (intent: string) => (answer?.subject === intent ? answer : null);
  if (open.state === "decided" || open.state === "closed") {
    // Another admin was faster, so the form that was answered is gone.
    const overtaken = (answerTo("decide-case") ?? answerTo("answer-appeal"))?.errors.form;
    return overtaken && <Callout tone="orange">{overtaken}</Callout>;
  }
  if (refusal)
    return <Callout tone="orange">{ADMIN_TEXTS[refusal === "decided" ? "decided_by_you" : refusal]}</Callout>;
  if (isTaken) return null;
  if (open.state === "appealed")
    return <AppealForm key={`appeal ${open.id}`} seenAt={seenAt} answer={answerTo("answer-appeal")} />;
  return <DecideForm key={`decide ${open.id}`} page={page} answer={answerTo("decide-case")} />;
}

function PersonPart({ page: { person, earlier } }: { page: CasePage }) {
  const name = person.fullName || person.email;
  return (
    <Part title={`About: ${name}`}>
      {(person.deletedAt || person.suspendedAt) && (
        <div>
          <StatusBadge tone="red">{person.deletedAt ? "Deleted" : "Suspended"}</StatusBadge>
        </div>
      )}
      <Facts
        facts={[
          ...personFacts(person),
          ["Listings", String(person.listings)],
          ["Sales completed", String(person.salesCompleted)],
        ]}
      />
      <Photos
        images={picturesOf({ photo: person.photoUrl, logo: person.logoUrl, banner: person.bannerUrl })}
        name={name}
      />
      {earlier.length > 0 && (
        <ul className="stack stack--tight small" role="list" aria-label="Other cases about this person">
          {earlier.map((other) => (
            <li key={other.id}>
              <Link className="text-link" to={`/admin/moderation/${other.id}`}>
                {SUBJECT_LABELS[other.subject]}, {formatDate(other.createdAt)}
              </Link>
              : {caseStatus(other).label}
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}

function DecideForm({
  page: { case: open, person, suggested, seenAt },
  answer,
}: {
  page: CasePage;
  answer: CaseAnswer | null;
}) {
  const errors = useFieldErrors(answer?.errors);
  useFormDraft(errors.form.ref, "decide");
  const isHeld = open.heldFor !== null;
  const words = answer?.typed?.statement ?? suggested;
  if (answer?.confirm)
    return (
      <ConfirmSuspension
        name={person.fullName || person.email}
        words={words}
        // What was seen before the first press: the page has been read again since.
        seenAt={Number(answer.typed?.seenAt ?? seenAt)}
        label={decisionLabel(open.subject, "suspended", isHeld)}
      />
    );
  return (
    <section className="card stack" aria-labelledby="decide">
      <h2 id="decide" className="admin__title">
        Decide
      </h2>
      <Form method="post" className="stack" noValidate preventScrollReset {...errors.form}>
        <input type="hidden" name="intent" value="decide-case" />
        <input type="hidden" name="seenAt" value={seenAt} />
        <FormError error={errors.of("form")} />
        <Field
          label="Reason"
          hint={`${person.fullName || "The person"} reads this in the email and on the page of the appeal.`}
          error={errors.of("statement")}
        >
          <TextArea name="statement" rows={3} maxLength={ADMIN_TEXT_MAX} defaultValue={words} />
        </Field>
        <KeyButtons
          form={errors.form.ref}
          name="decision"
          choices={CASE_DECISIONS.map((decision) => ({
            value: decision,
            label: decisionLabel(open.subject, decision, isHeld),
            isSevere: decision === "suspended",
          }))}
        />
      </Form>
    </section>
  );
}

interface ConfirmSuspensionProps {
  name: string;
  words: string;
  seenAt: number;
  label: string;
}

function ConfirmSuspension({ name, words, seenAt, label }: ConfirmSuspensionProps) {
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => confirm.current?.focus(), []);
  return (
    <section className="card stack" aria-labelledby="decide">
      <h2 id="decide" className="admin__title">
        {`Suspend ${name}?`}
      </h2>
      <Callout tone="red" icon="circle-alert">
        {name} is logged out everywhere and can't log in. All their listings are taken down. Items that aren't shipped
        are refunded, and our team decides about the rest.
      </Callout>
      <p className="admin__quote">{words}</p>
      <Form method="post" className="row" preventScrollReset>
        {Object.entries({
          intent: "decide-case",
          decision: "suspended",
          confirmed: "yes",
          statement: words,
          seenAt,
        }).map(([field, value]) => (
          <input key={field} type="hidden" name={field} value={value} />
        ))}
        <Button ref={confirm} type="submit" danger variant="solid">
          {label}
        </Button>
        <Link className="text-link" to="." replace preventScrollReset>
          Choose something else
        </Link>
      </Form>
    </section>
  );
}

function AppealForm({ seenAt, answer }: Pick<CasePage, "seenAt"> & { answer: CaseAnswer | null }) {
  const errors = useFieldErrors(answer?.errors);
  useFormDraft(errors.form.ref, "appeal");
  return (
    <section className="card stack" aria-labelledby="decide">
      <h2 id="decide" className="admin__title">
        Answer the appeal
      </h2>
      <p className="quiet small">Undoing the decision restores what it removed. Deals that ended stay ended.</p>
      <Form method="post" className="stack" noValidate preventScrollReset {...errors.form}>
        <input type="hidden" name="intent" value="answer-appeal" />
        <input type="hidden" name="seenAt" value={seenAt} />
        <FormError error={errors.of("form")} />
        <Field label="Answer" hint="We'll email this to the person." error={errors.of("answer")}>
          <TextArea name="answer" rows={3} maxLength={ADMIN_TEXT_MAX} defaultValue={answer?.typed?.answer} />
        </Field>
        <KeyButtons
          form={errors.form.ref}
          name="granted"
          choices={[
            { value: "no", label: "Keep the Decision" },
            { value: "yes", label: "Undo the Decision" },
          ]}
        />
      </Form>
    </section>
  );
}

interface KeyButtonsProps {
  form: RefObject<HTMLFormElement | null>;
  name: string;
  choices: readonly { value: string; label: string; isSevere?: boolean }[];
}

/** The submit buttons of a form, each with its number key, unless the keys are switched off (`Desk`). */
function KeyButtons({ form, name, choices }: KeyButtonsProps) {
  const [isOff] = useBrowserFlag(FLAG_NUMBER_KEYS_OFF);
  useNumberKeys(form, !isOff);
  return (
    <div className="admin__keys">
      {choices.map(({ value, label, isSevere }, at) => (
        <Button
          key={value}
          type="submit"
          name={name}
          value={value}
          variant="soft"
          danger={isSevere}
          aria-keyshortcuts={isOff ? undefined : String(at + 1)}
        >
          {label} {!isOff && <kbd aria-hidden="true">{at + 1}</kbd>}
        </Button>
      ))}
    </div>
  );
}

function ListingPart({ listing }: { listing: NonNullable<CasePage["listing"]> }) {
  return (
    <>
      <Photos images={listing.images} name={listing.name} />
      <div>
        <p className="admin__quote">{listing.description || "No description"}</p>
        <p className="quiet small">
          {formatKes(listing.price)}, {listing.category}
          {listing.suspendedAt && !listing.deletedAt ? ", not shown to anybody" : ""}
        </p>
        {listing.deletedAt !== null && (
          <Callout tone="orange">
            The seller deleted this listing on {formatDateTime(listing.deletedAt)}. Its photos stay with this case.
          </Callout>
        )}
        {!listing.deletedAt && !listing.suspendedAt && (
          <Link className="text-link small" to={`/product/${listing.id}`}>
            Open the listing
          </Link>
        )}
      </div>
    </>
  );
}

/** What was reported as it was then, and each edit since. */
function CopiedPart({
  copied: { facts, images, edits },
  isGone,
  decidedAt,
}: {
  copied: NonNullable<CasePage["copied"]>;
  isGone: boolean;
  decidedAt: number | null;
}) {
  return (
    <Callout
      tone="orange"
      icon="info"
      title={isGone ? "Deleted since. This was reported:" : "Edited since. This was reported:"}
    >
      <dl className="admin__changes">
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Photos images={images} name="the report" />
      {edits.map(({ at, changes }) => (
        <div key={at}>
          <p className="quiet small">
            Edited {at === null ? "since" : formatDateTime(at)}
            {at !== null && decidedAt !== null && at > decidedAt && ", after the decision"}
          </p>
          <ChangeList changes={changes} />
        </div>
      ))}
    </Callout>
  );
}

function ReviewPart({
  review,
  isReplyReported,
}: {
  review: NonNullable<CasePage["review"]>;
  isReplyReported: boolean;
}) {
  return (
    <>
      <p className="quiet small">
        {review.author ?? "Somebody"} about {review.about ?? "somebody"}, {review.productName}: {review.rating} of 5
        stars
        {review.removedAt && ", removed"}
      </p>
      <p className="admin__quote">{review.text || "No words"}</p>
      <Photos images={review.photos} name="the review" />
      {review.reply && (
        <div className={classNames(isReplyReported && "admin__reported")}>
          <p className="quiet small">
            Reply by {review.about ?? "somebody"}
            {isReplyReported && ", reported"}
            {review.replyRemovedAt && ", removed"}
          </p>
          <p className="admin__quote">{review.reply}</p>
        </div>
      )}
    </>
  );
}

function Messages({ messages }: { messages: readonly CaseMessage[] }): ReactNode {
  return messages.map((message) => (
    <div key={message.id} className={classNames(message.isSubject && messages.length > 1 && "admin__reported")}>
      <p className="quiet small">
        {message.senderName}, {formatDateTime(message.createdAt)}
        {message.isSubject && messages.length > 1 && ", reported"}
      </p>
      {message.message !== "" && <p className="admin__quote">{message.message}</p>}
      <Photos images={message.images} name="the message" />
    </div>
  ));
}

/** Links to a photo's sizes and its preview. Browsers make them, so a cheat can send another picture as one of them. */
function PhotoSizes({ image }: { image: ProductImage }) {
  const preview = previewPath(image);
  if (image.widths.length < 2 && !preview) return null;
  return (
    <p className="quiet small">
      {"Sizes: "}
      {image.widths.map((width, at) => (
        <Fragment key={width}>
          {at > 0 && ", "}
          <a className="text-link" href={photoPath(image, width)} target="_blank" rel="noopener">
            {width}&nbsp;px
          </a>
        </Fragment>
      ))}
      {preview && (
        <>
          {", "}
          <a className="text-link" href={preview} target="_blank" rel="noopener">
            preview
          </a>
        </>
      )}
    </p>
  );
}

function Photos({ images, name }: { images: readonly ProductImage[]; name: string }) {
  if (images.length === 0) return null;
  return (
    <div className="admin__photos">
      {images.map((image, at) => (
        <div key={image.key}>
          <a href={largestPath(image)} target="_blank" rel="noopener">
            <Photo {...imageSources(image, "120px")} alt={`Photo ${at + 1} of ${name}`} />
          </a>
          <PhotoSizes image={image} />
        </div>
      ))}
    </div>
  );
}
