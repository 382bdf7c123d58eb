/** The Privacy Policy names who answers for the data and who else gets it, as this deployment is. */
import { readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { PROCESSORS, processorsOf, type UsedParts } from "#app/screens/privacy/processor-rules.ts";
import { PrivacyView, type PrivacyViewProps } from "#app/screens/privacy/privacy-view.tsx";
import { sourceFiles } from "#tests/support/source.ts";

function textOf(change: Partial<PrivacyViewProps>): string {
  const props = {
    controller: { name: "Chuoni Limited", address: "P.O. Box 1, Nairobi", registration: "" },
    supportEmail: "support@chuoni.co.ke",
    processors: processorsOf({ mail: "resend", hasPush: true, hasGoogle: true, hasUniversity: false }),
  };
  const page = renderToStaticMarkup(
    <MemoryRouter>
      <PrivacyView {...props} {...change} />
    </MemoryRouter>,
  );
  return page.replaceAll(/<[^>]*>/g, "").replaceAll("&#x27;", "'");
}

/** Each file that makes a cookie, and what the page says of it. */
const COOKIES = {
  "app/accounts/login/devices.server.ts": "recognize a device you have logged in on",
  "app/accounts/login/issuer-sign-in.server.ts": "a login that is under way (for ten minutes)",
  "app/accounts/login/pending-email.server.ts": "the email you sign up with until you have confirmed it",
  "app/accounts/login/session.server.ts": "keep you logged in",
  "app/accounts/two-step/second-step.server.ts": "a login that is under way (for ten minutes)",
  "app/catalogue/browse/campus-choice.ts": "whether you want to see all campuses",
  "app/catalogue/product/pending-action.server.ts": "what you wanted to buy or ask while you log in (for an hour)",
  "app/document/plain-pages.ts": "that your browser is too old for our scripts",
  "app/platform/flash.server.ts": "show messages once",
  "app/ui/browser/data-saver.ts": "your choice of Data saver",
  "app/ui/page/theme.ts": "your theme",
};

/** Makes those of other files. */
const MAKER = "app/platform/signed-cookie.server.ts";
const MAKES_COOKIE = /\bcreate(Signed)?Cookie\(|; Path=|\bd\.cookie=/;

test("it names the controller, and a registration only where there is one", () => {
  expect(textOf({})).toContain("Chuoni Limited, P.O. Box 1, Nairobi. Write to support@chuoni.co.ke.");
  expect(textOf({})).not.toContain("Registered with");
  const controller = { name: "Chuoni Limited", address: "", registration: "123-456" };
  expect(textOf({ controller })).toContain(
    "Chuoni Limited. Registered with the Office of the Data Protection Commissioner: 123-456. Write to",
  );
});

test.each<[UsedParts, string[]]>([
  [{ mail: "sandbox", hasPush: false, hasGoogle: false, hasUniversity: false }, ["Cloudflare", "Safaricom"]],
  [
    { mail: "cloudflare", hasPush: false, hasGoogle: false, hasUniversity: false },
    ["Cloudflare", "Cloudflare", "Safaricom"],
  ],
  [
    { mail: "resend", hasPush: true, hasGoogle: false, hasUniversity: false },
    ["Cloudflare", "Resend", "Safaricom", "The maker of your browser"],
  ],
  [
    { mail: "resend", hasPush: false, hasGoogle: true, hasUniversity: true },
    ["Cloudflare", "Resend", "Safaricom", "Google", "Your university"],
  ],
])("%j: who works for us, and where", (used, names) => {
  const processors = processorsOf(used);
  expect(processors.map(({ name }) => name)).toEqual(names);
  for (const { name, does, place } of processors)
    expect(textOf({ processors })).toContain(`${name} ${does} (${place}).`);
});

test("it names what each cookie is for, and none that is gone", () => {
  const [, said = ""] = /We use cookies only (.*?)\./.exec(textOf({})) ?? [];
  const rest = Object.values(COOKIES).reduce((text, words) => text.replace(words, "…"), said);
  expect(rest).toBe("to …, to …, to …, and to remember a few things: …, …, …, …, …, …, and …");
  const files = sourceFiles("app", "workers").filter(({ file, code }) => file !== MAKER && MAKES_COOKIE.test(code));
  expect(files.map(({ file }) => file).toSorted()).toEqual(Object.keys(COOKIES));
});

test("it says how to complain, and within which time somebody is told of a breach", () => {
  expect(textOf({})).toContain("Office of the Data Protection Commissioner, at odpc.go.ke");
  expect(textOf({})).toContain("within 72 hours");
});

test("docs/for-universities.md shows all of them", () => {
  const [, shown = ""] =
    /\| who \| for what \| where \|\n\|---\|---\|---\|\n((?:\|.*\n)+)/.exec(
      readFileSync("docs/for-universities.md", "utf8"),
    ) ?? [];
  const rows = Object.values(PROCESSORS).map(({ name, does, place }) => `| ${name} | ${does} | ${place} |`);
  expect(shown.trim().split("\n").toSorted()).toEqual(rows.toSorted());
});
