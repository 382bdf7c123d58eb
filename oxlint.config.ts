import { defineConfig } from "oxlint";

/** The business rooms, in order: a room imports only rooms before it. */
const ROOMS = ["accounts", "catalogue", "shops", "basket", "orders", "payments", "messaging", "admin"];
/** The tour knows the interface only, and nothing but routes knows the tour. */
const EVERY_ROOM = [...ROOMS, "tutorial"];

interface Ban {
  regex?: string;
  group?: string[];
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
const DRIZZLE: Ban = { regex: "^drizzle-orm", message: "Queries live in app/db and in the rooms' *.server.ts." };
const DATABASE: Ban = {
  regex: "^#app/db/",
  message: "The rooms' *.server.ts speak to the database.",
  allowTypeImports: true,
};
const SERVER: Ban = {
  regex: "\\.server(\\.tsx?)?$",
  message: "What runs in the browser takes plain values, not use cases.",
  allowTypeImports: true,
};
const ROUTES: Ban = {
  regex: "^#app/(routes/|routes\\.ts|root\\.tsx|entry\\.)",
  message: "Routes import rooms, never the other way round.",
};
const INTERFACE: Ban = { regex: "^#app/ui/", message: "The database knows nothing of the interface." };
const GATEWAY: Ban = {
  regex: "^(\\./|#app/payments/)gateway\\.ts$",
  message: "rules.ts takes the gateway's types only.",
  allowTypeImports: true,
};
// An exception in a group ends the search, so this one stands last.
const IMPURE: Ban = {
  group: ["**", "!./{rules,*-rules}.ts", "!#app/*/{rules,*-rules}.ts", "!./gateway.ts", "!#app/payments/gateway.ts"],
  message: "rules.ts imports nothing but other rules.",
};

function roomsAfter(room: string): Ban[] {
  const later = room === "tutorial" ? ROOMS : EVERY_ROOM.slice(EVERY_ROOM.indexOf(room) + 1);
  return roomBan(later, `Rooms import only rooms before them: ${ROOMS.join(", ")}.`);
}

function roomBan(rooms: string[], message: string): Ban[] {
  return rooms.length === 0 ? [] : [{ regex: `^#app/(${rooms.join("|")})/`, message }];
}

/** The last entry that matches a file decides for it, so every entry is complete. */
function imports(files: string[], ...bans: Ban[]) {
  return {
    files,
    rules: { "eslint/no-restricted-imports": ["error", { patterns: [UP, ...bans] }] },
  } satisfies Override;
}

function roomImports(name: string): Override[] {
  const later = roomsAfter(name);
  return [
    imports([`app/${name}/**`], OUTSIDE, ROUTES, DRIZZLE, DATABASE, SERVER, ...later),
    imports([`app/${name}/**/*.server.{ts,tsx}`], OUTSIDE, ROUTES, ...later),
    imports([`app/${name}/rules.ts`], GATEWAY, ...later, IMPURE),
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
    // A list without bullets is a list for Safari only where it says so; status and group read better than their tags.
    "jsx-a11y/no-redundant-roles": "off",
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
    ...EVERY_ROOM.flatMap(roomImports),
    imports(
      ["app/ui/**"],
      OUTSIDE,
      ROUTES,
      DRIZZLE,
      DATABASE,
      SERVER,
      ...roomBan(EVERY_ROOM, "The interface knows no business."),
    ),
    imports(["app/db/**"], OUTSIDE, ROUTES, INTERFACE, ...roomBan(EVERY_ROOM, "The database layer knows no business.")),
    imports(["app/routes/**"], OUTSIDE, DRIZZLE, DATABASE),
    imports(["workers/**"], SANDBOX, DRIZZLE),
    imports(["workers/sandbox/**", "tests/**"]),
    imports(["scripts/**", "*.config.ts"], SANDBOX),
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
