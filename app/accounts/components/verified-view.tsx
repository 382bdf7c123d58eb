import { settingsPath } from "#app/accounts/profile/settings-path.ts";
import "./verified.css";
import { LEVEL_LOOKS } from "./level-mark.tsx";
import { nextLevelStep, type Verification } from "#app/accounts/trust/next-level-rules.ts";
import { endedText, ownLevelTitle } from "./own-level.ts";
import { LEVELS } from "#app/accounts/trust/verified-rules.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";

const LEVELS_SHOWN = ["email", "student", "business"] as const;

/** What each level means, and what a member can do next. */
export function VerifiedView({ verification }: { verification: Verification | null }) {
  return (
    <div className="page page--form stack">
      <PageHeader
        title="What verified means"
        lead="A badge tells you what we have checked about somebody. Meet in a public place anyway, and pay through Chuoni."
      />
      {verification ? (
        <OwnLevel verification={verification} />
      ) : (
        <p>
          To become a verified student, sign up with an email address at a Kenyan university, or upload your student ID.
        </p>
      )}
      <ul className="levels" role="list">
        {LEVELS_SHOWN.map((level) => (
          <li key={level} className="card level">
            <h2 className="verified" data-accent-color={LEVEL_LOOKS[level].tone}>
              <Icon name={LEVEL_LOOKS[level].icon} />
              {LEVELS[level].title}
            </h2>
            <p>{LEVELS[level].meaning}</p>
          </li>
        ))}
      </ul>
      <p className="quiet">
        A name in a badge is the name in the document that our team checked. A university address shows that somebody
        belongs to the university, but it doesn't prove their name.
      </p>
    </div>
  );
}

function OwnLevel({ verification }: { verification: Verification }) {
  const next = nextLevelStep(verification);
  return (
    <Callout
      {...(verification.level !== "none" && LEVEL_LOOKS[verification.level])}
      title={`Your level: ${ownLevelTitle(verification)}`}
    >
      <p>
        {endedText(verification)} {next ?? "This is the highest level for your account."}
      </p>
      {next !== null && verification.level !== "none" && (
        <p>
          <LinkButton to={settingsPath("documents")} size="small">
            Open Settings
          </LinkButton>
        </p>
      )}
    </Callout>
  );
}
