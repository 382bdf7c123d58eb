/** What the documents name is there: files, words of the code, commands, settings, and what the lists of them list. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { ALARMS } from "#app/admin/operations/alarm-rules.ts";
import { ADMIN_TABS } from "#app/team/admin-tabs.ts";

const root = join(import.meta.dirname, "../..");

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

const documents = globSync(["*.md", "docs/**/*.md", "app/**/*.md"], { cwd: root });

test("every link of a document leads to a file", () => {
  const broken = documents.flatMap((path) =>
    [...read(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !existsSync(join(root, dirname(path), target)))
      .map((target) => `${path} -> ${target}`),
  );
  expect(broken).toEqual([]);
});

test("every document that a comment names is there, with the heading that it names", () => {
  const broken: string[] = [];
  for (const path of globSync("{app,workers,scripts,tests,migrations}/**/*.{ts,tsx,css,sql,js}", { cwd: root })) {
    // A comment may break its line within the heading.
    const source = read(path).replaceAll(/\n\s*(?:\*|\/\/) /g, " ");
    for (const [, name = "", heading] of source.matchAll(/(?<![\w/])(docs\/[\w/-]+\.md)(?:, "([^"]+)")?/g)) {
      const headings = existsSync(join(root, name)) ? (read(name).match(/^#+ .+$/gm) ?? []) : [];
      if (headings.length === 0 || (heading && !headings.some((line) => line.replace(/^#+ /, "") === heading)))
        broken.push(`${path}: ${name}${heading ? `, "${heading}"` : ""}`);
    }
  }
  expect(broken).toEqual([]);
});

/** Each text between backticks of a document, outside its blocks of code. */
function quoted(path: string): string[] {
  const prose = read(path).replaceAll(/^```[^]*?^```/gm, "");
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text);
}

/** Of what each document quotes, with the document before it. */
function findQuoted(isWrong: (text: string) => boolean): string[] {
  return documents.flatMap((path) =>
    quoted(path)
      .filter(isWrong)
      .map((text) => `${path}: ${text}`),
  );
}

const code = globSync(
  ["{app,workers,scripts,tests,migrations,public}/**/*.{ts,tsx,mjs,js,css,sql,toml,txt}", "*.{ts,toml,json}"],
  { cwd: root },
).filter((path) => basename(path) !== "documents.test.ts" && path !== "package-lock.json");

test("every file that a document names is there", () => {
  const names = new Set([...code, ...documents].map((path) => basename(path)));
  const isGone = (text: string) => {
    if (/^(app|workers|scripts|tests|migrations|docs)\/[\w./*-]+$/.test(text))
      return globSync(text, { cwd: root }).length === 0;
    return /^[\w-]+(\.[\w-]+)*\.(ts|tsx|mjs|sql|css)$/.test(text) && !names.has(text);
  };
  expect(findQuoted(isGone)).toEqual([]);
});

test("every file that a comment names by its path is there", () => {
  const gone = code.flatMap((path) =>
    [...read(path).matchAll(/^\s*(?:\*|\/\/|\/\*\*|--|#) .*$/gm)]
      .flatMap(
        ([line]) => line.match(/(?<![\w#/.@-])(?:app|workers|scripts|tests)\/[\w./-]+\.(?:tsx?|mjs|css)\b/g) ?? [],
      )
      .filter((name) => !existsSync(join(root, name)))
      .map((name) => `${path}: ${name}`),
  );
  expect(gone).toEqual([]);
});

test("every name of the code that a document names is in the code", () => {
  /** Names of others. */
  const foreign = ["__new_x", "collectGarbage", "nodejs_compat", "no_web_socket_compression", "useCombobox"];
  const words = new Set(code.flatMap((path) => read(path).match(/\w+/g) ?? []));
  const isGone = (text: string) =>
    /^[A-Za-z_]\w*(\.\w+)*(\(\))?$/.test(text) &&
    (text.match(/\w+/g) ?? []).some((word) => /_|[a-z][A-Z]/.test(word) && !words.has(word) && !foreign.includes(word));
  expect(findQuoted(isGone)).toEqual([]);
});

test("every command that a document names is there", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const gone = documents.flatMap((path) =>
    [...read(path).matchAll(/npm run (?:--silent )?([\w:-]+)/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !(name in scripts))
      .map((name) => `${path}: npm run ${name}`),
  );
  expect(gone).toEqual([]);
});

/** The rows of the tables below a heading, without their heads. */
function rowsBelow(path: string, heading: string): string[][] {
  const [, section = ""] = new RegExp(`^#+ ${heading}\\n([^]*?)(?=\\n#|$(?![^]))`, "m").exec(read(path)) ?? [];
  return [...section.matchAll(/^\|(.+)\|$/gm)].map(([, row = ""]) => row.split("|").map((cell) => cell.trim()));
}

describe("the lists of the documents are whole", () => {
  test("the alarms, and which of them the monitor hears of", () => {
    const rows = rowsBelow("docs/operating.md", "Alarms").slice(2);
    expect(rows.map(([title, , stops]) => [title, stops === "yes"])).toEqual(
      Object.values(ALARMS).map(({ title, stopsHealth }) => [title, stopsHealth]),
    );
  });

  test("the tabs of the admin pages", () => {
    const text = read("docs/operating.md");
    const rows = rowsBelow("docs/operating.md", "Once a day: `/admin`").flatMap(([names = ""]) => names.split(", "));
    const tabs = ADMIN_TABS.map(({ label }) => label).filter((label) => label !== "Today" && label !== "Money");
    expect(tabs.filter((label) => !rows.includes(label))).toEqual([]);
    expect(text).toContain("On the tab **Money**");
  });

  test("the settings and secrets of a deployment", () => {
    const wrangler = read("wrangler.toml");
    const [, vars = ""] = /\[env\.production\.vars\]\n([^]*?)\n\[/.exec(wrangler) ?? [];
    const [, secrets = ""] = /\[env\.production\.secrets\]\nrequired = \[([^]*?)\]/.exec(wrangler) ?? [];
    const named = (heading: string) =>
      rowsBelow("docs/deploying.md", heading)
        .map(([name]) => name)
        .join();
    const missing = (names: string[], text: string) => names.filter((name) => !text.includes(`\`${name}\``));
    expect(missing(vars.match(/^\w+(?= =)/gm) ?? ["none"], named("3. Fill in the variables"))).toEqual([]);
    expect(missing(secrets.match(/\w+/g) ?? ["none"], named("4. Set the secrets"))).toEqual([]);
  });

  test("the folders of the business in their order, and the rooms", () => {
    const [, list = ""] = /const BUSINESS = \[([^]*?)\];/.exec(read("oxlint.config.ts")) ?? [];
    const [, folders = ""] = /## Folders\n\n```([^]*?)\nworkers\//.exec(read("docs/architecture.md")) ?? [];
    const order = list.match(/\w+/g) ?? [];
    const places = order.map((name) => folders.lastIndexOf(` ${name}/`));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    const folderRooms = rowsBelow("docs/architecture.md", "Folders").map(
      ([name = "", rooms = ""]) => [name.replaceAll("`", ""), rooms] as const,
    );
    const missing = folderRooms.flatMap(([folder, rooms]) =>
      globSync("*/", { cwd: join(root, "app", folder) })
        .map((name) => name.replace("/", ""))
        .filter((name) => name !== "components" && !rooms.includes(`\`${name}\``))
        .map((name) => `${folder}/${name}`),
    );
    expect(missing).toEqual([]);
  });
});
