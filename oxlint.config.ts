import { defineConfig } from "oxlint";

/** The business folders, in order: a folder imports only folders before it, and so names only their tables. */
const BUSINESS = [
  "safety",
  "live",
  "notifications",
  "accounts",
  "catalogue",
  "shops",
  "basket",
  "orders",
  "payments",
  "deals",
  "messaging",
  "offers",
  "meetings",
  "reviews",
  "upkeep",
  "digest",
  "team",
  "moderation",
  "admin",
];
/** The tour imports the interface only, and only screens and routes import the tour. */
const FEATURES = [...BUSINESS, "tutorial"];

interface Ban {
  regex?: string;
  group?: string[];
  importNames?: string[];
  message: string;
  allowTypeImports?: boolean;
}

const UP: Ban = { regex: "^\\.\\./", message: "Reach another folder by its alias: #app, #workers, #tests, #scripts." };
const OUTSIDE: Ban = {
  regex: "^#(workers|tests|scripts)/",
  message: "The app owns its interfaces; the workers implement them and join them in services.ts.",
};
const SANDBOX: Ban = {
  regex: "^#workers/sandbox/",
  message: "The sandbox is local only: nothing but the Vite config and tests may know it.",
};
const DRIZZLE: Ban = { regex: "^drizzle-orm", message: "Queries live in app/db and in *.server.ts files." };
const DATABASE: Ban = {
  regex: "^#app/db/[^/]+$",
  message: "Only *.server.ts files use the database.",
  allowTypeImports: true,
};
const TABLES: Ban = {
  regex: "/tables\\.server\\.ts$",
  message: "Routes and workers ask use cases, not tables.",
  allowTypeImports: true,
};
const SERVER: Ban = {
  regex: "\\.server(\\.tsx?)?$",
  message: "What runs in the browser takes plain values, not use cases.",
  allowTypeImports: true,
};
const QUEUE: Ban = {
  regex: "^#app/db/outbox\\.ts$",
  importNames: ["queueEffect", "queueEffects"],
  message: "People are told by app/notifications, which decides by which ways.",
};
const ROUTES: Ban = {
  regex: "^#app/(routes/|routes\\.ts|root\\.tsx|entry\\.)",
  message: "Only routes.ts names the routes.",
};
const INTERFACE: Ban = { regex: "^#app/ui/", message: "What works without a screen knows nothing of the interface." };
const GATEWAY: Ban = {
  regex: "^(\\./|#app/payments/)gateway\\.ts$",
  message: "Rules take the gateway's types only.",
  allowTypeImports: true,
};
// An exception in a group ends the search, so this one stands last.
const IMPURE: Ban = {
  group: [
    "**",
    "!./*-rules.ts",
    "!#app/**/*-rules.ts",
    "!./phone.ts",
    "!#app/accounts/profile/phone.ts",
    "!./kinds.ts",
    "!#app/notifications/kinds.ts",
    "!#app/catalogue/labels.ts",
    "!#app/ui/money.ts",
    "!#app/platform/east-africa-time.ts",
    "!#app/platform/folded-text.ts",
    "!#app/platform/sha256.ts",
    "!#app/platform/visible-text.ts",
    "!#app/db/states/*.ts",
    "!./gateway.ts",
    "!#app/payments/gateway.ts",
  ],
  message: "Rules import nothing but other rules.",
};

function ban(folders: string[], message: string): Ban[] {
  return folders.length === 0 ? [] : [{ regex: `^#app/(${folders.join("|")})/`, message }];
}

/** What stands above the business folders: they are composed there. */
const COMPOSITION = ban(["request", "screens", "document"], "Business folders know neither screens nor requests.");

const ABOVE_UI = ban([...FEATURES, "request", "screens"], "Foundations know no business.");
const ABOVE_FOUNDATIONS = [...ABOVE_UI, ...ban(["document"], "The document is composed of the interface.")];

const ABOVE_INTERFACE = [OUTSIDE, ROUTES, DRIZZLE, DATABASE, SERVER, ...ABOVE_FOUNDATIONS];

function businessAfter(name: string): Ban[] {
  const later = name === "tutorial" ? BUSINESS : FEATURES.slice(FEATURES.indexOf(name) + 1);
  return ban(later, `Business folders import only folders before them: ${BUSINESS.join(", ")}.`);
}

/** The last entry that matches a file decides for it, so every entry is complete. */
function imports(files: string[], ...bans: Ban[]) {
  return {
    files,
    rules: { "eslint/no-restricted-imports": ["error", { patterns: [UP, ...bans] }] },
  } satisfies Override;
}

function businessImports(name: string): Override[] {
  const others = [...COMPOSITION, ...businessAfter(name), ...(name === "notifications" ? [] : [QUEUE])];
  return [
    imports([`app/${name}/**`], OUTSIDE, ROUTES, DRIZZLE, DATABASE, SERVER, ...others),
    imports([`app/${name}/**/*.server.{ts,tsx}`], OUTSIDE, ROUTES, ...others),
    imports([`app/${name}/**/*-rules.ts`], GATEWAY, ...others, IMPURE),
  ];
}

type Override = NonNullable<Parameters<typeof defineConfig>[0]["overrides"]>[number];

export default defineConfig({
  plugins: ["eslint", "typescript", "unicorn", "oxc", "import", "promise", "react", "jsx-a11y"],
  categories: { correctness: "error", suspicious: "error" },
  ignorePatterns: ["build", "build-production", ".react-router", ".wrangler", ".cache", "node_modules"],
  options: { reportUnusedDisableDirectives: "error" },
  rules: {
    "typescript/no-explicit-any": "error",
    "typescript/consistent-type-imports": ["error", { disallowTypeAnnotations: false }],
    "import/no-cycle": "error",
    "react/rules-of-hooks": "error",
    "react/exhaustive-deps": "error",
    // The automatic runtime needs no React in scope.
    "react/react-in-jsx-scope": "off",
    // Readers of foreign text name the control characters they strip.
    "no-control-regex": "off",
    "eslint/no-underscore-dangle": "off",
    // A list without bullets is a list for Safari only where it says so, and so is a table whose rows are grids; status
    // and group read better than their tags.
    "jsx-a11y/no-redundant-roles": "off",
    "jsx-a11y/no-interactive-element-to-noninteractive-role": "off",
    "jsx-a11y/prefer-tag-over-role": "off",
    "promise/always-return": "off",
    "unicorn/consistent-function-scoping": "off",
    // Style sheets and test set-up are imported for what they do.
    "import/no-unassigned-import": "off",
    // fast-check is written fc.property(…), and its properties assert for some of their inputs only.
    "import/no-named-as-default-member": "off",
  },
  overrides: [
    imports(["app/**"], OUTSIDE, DRIZZLE),
    ...FEATURES.flatMap(businessImports),
    // The foundations: each knows no business, and platform and db no interface.
    imports(["app/ui/**"], ...ABOVE_INTERFACE),
    imports(["app/document/**"], OUTSIDE, ROUTES, DRIZZLE, DATABASE, ...ABOVE_UI),
    imports(["app/platform/**"], OUTSIDE, ROUTES, DRIZZLE, INTERFACE, ...ABOVE_FOUNDATIONS),
    imports(["app/db/**"], OUTSIDE, ROUTES, INTERFACE, ...ABOVE_FOUNDATIONS),
    // The compositions: a request's services and viewer; the parts of a screen that use several business folders.
    imports(
      ["app/request/**"],
      OUTSIDE,
      ROUTES,
      DRIZZLE,
      INTERFACE,
      ...ban(["screens"], "Screens use the request, never the other way round."),
    ),
    imports(["app/screens/**"], OUTSIDE, { ...ROUTES, allowTypeImports: true }, DRIZZLE, DATABASE, SERVER),
    imports(["app/screens/**/*.server.{ts,tsx}"], OUTSIDE, ROUTES, QUEUE),
    imports(["app/routes/**"], OUTSIDE, DRIZZLE, DATABASE, TABLES),
    imports(["workers/**"], SANDBOX, DRIZZLE, TABLES, QUEUE),
    imports(["workers/sandbox/**", "tests/**"]),
    imports(["scripts/**", "*.config.ts"], SANDBOX),
    {
      files: ["app/**", "workers/**", "scripts/**"],
      // What is longer has parts with names of their own.
      rules: { "eslint/max-lines-per-function": ["error", { max: 100, skipBlankLines: true, skipComments: true }] },
    },
    {
      files: ["tests/{rules,workers}/**"],
      plugins: ["vitest"],
      rules: {
        "vitest/no-conditional-expect": "off",
        "vitest/expect-expect": "off",
        "vitest/no-standalone-expect": "off",
      },
    },
  ],
});
