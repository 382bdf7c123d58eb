import { Body } from "@react-email/body";
import { Button } from "@react-email/button";
import { Container } from "@react-email/container";
import { Head } from "@react-email/head";
import { Heading } from "@react-email/heading";
import { Hr } from "@react-email/hr";
import { Html } from "@react-email/html";
import { Link } from "@react-email/link";
import { Preview } from "@react-email/preview";
import { Section } from "@react-email/section";
import { Text } from "@react-email/text";
import type { CSSProperties } from "react";
import { brand } from "#app/ui/page/brand.ts";
import type { MailContent } from "./content.ts";

/** For mail programs that support the dark theme. The others show the light one, which is written into the elements. */
const DARK = `@media (prefers-color-scheme: dark) {
  .paper { background: #13120f !important; }
  .sheet { background: #1c1a16 !important; }
  .ink, .ink h1, .ink p { color: #f2efe8 !important; }
  .quiet, .quiet a { color: #b5b0a4 !important; }
  .mark { color: #e7c65f !important; }
}`;

/** Step 9 of the gold scale in styles/theme.css. */
const GOLD = "#e7c65f";

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const text: CSSProperties = { margin: "0 0 16px", fontSize: 16, lineHeight: "26px", color: "#262118" };
const mark: CSSProperties = {
  margin: "0 0 28px",
  fontSize: 20,
  lineHeight: "24px",
  fontWeight: 800,
  letterSpacing: "-0.02em",
  color: "#7a5c00",
};
const title: CSSProperties = {
  margin: "0 0 20px",
  fontSize: 26,
  lineHeight: "32px",
  fontWeight: 800,
  letterSpacing: "-0.02em",
  color: "#262118",
};
const button: CSSProperties = {
  padding: "14px 24px",
  borderRadius: 14,
  background: GOLD,
  color: "#221a05",
  fontSize: 16,
  fontWeight: 700,
};
const small: CSSProperties = { margin: "0 0 8px", fontSize: 14, lineHeight: "21px", color: "#6b6456" };

/** The one layout of every email: wordmark, heading, paragraphs, one button, small print. */
export function MailLayout({
  heading,
  preview,
  greeting,
  paragraphs,
  action,
  notes,
  unsubscribe,
}: MailContent & {
  /** The link that turns emails like this one off; null where they can't be turned off. */
  unsubscribe: { label: string; url: string } | null;
}) {
  return (
    <Html lang="en">
      <Head>
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{heading}</title>
        <style>{DARK}</style>
      </Head>
      <Preview>{preview}</Preview>
      <Body className="paper" style={{ margin: 0, padding: "24px 12px", background: "#f6f4ef", fontFamily: FONT }}>
        <Container
          className="sheet ink"
          style={{ maxWidth: 520, padding: "32px 28px", background: "#ffffff", borderRadius: 20 }}
        >
          <Text className="mark" style={mark}>
            {brand.name}
          </Text>
          <Heading as="h1" style={title}>
            {heading}
          </Heading>
          {[greeting, ...paragraphs].map((paragraph) => (
            <Text key={paragraph} style={text}>
              {paragraph}
            </Text>
          ))}
          <Section style={{ margin: "28px 0" }}>
            <Button href={action.url} style={button}>
              {action.label}
            </Button>
          </Section>
          <Section className="quiet">
            {notes.map((note) => (
              <Text key={note} style={small}>
                {note}
              </Text>
            ))}
            <Text style={small}>
              Button not working? Copy this address into your browser:
              <br />
              <Link href={action.url} style={{ color: "#6b6456", wordBreak: "break-all" }}>
                {action.url}
              </Link>
            </Text>
          </Section>
          <Hr style={{ margin: "24px 0 16px", borderColor: "#8b83722e" }} />
          <Section className="quiet">
            <Text style={{ ...small, margin: 0 }}>
              {brand.name} – {brand.tagline}
            </Text>
            {unsubscribe && (
              <Text style={{ ...small, margin: "8px 0 0" }}>
                <Link href={unsubscribe.url} style={{ color: "#6b6456" }}>
                  {unsubscribe.label}
                </Link>
              </Text>
            )}
          </Section>
        </Container>
      </Body>
    </Html>
  );
}
