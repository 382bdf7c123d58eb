/** The lists of the desk for problems: what each of them has. Pure. */

interface ProblemList {
  label: string;
  /** Items: those about whose money our team decides, or those that the two sides are still settling. */
  items?: "in_review" | "talking";
  reports?: "open" | "closed";
  /** What stands where the list is empty. */
  none: { title: string; sentence?: string };
}

export const PROBLEM_LISTS = {
  waiting: {
    label: "Waiting for us",
    items: "in_review",
    reports: "open",
    none: {
      title: "No problem waits for us",
      sentence: "Sales come here when the two sides don't agree or nobody answers, and buyers' issue reports at once.",
    },
  },
  items: {
    label: "Money to decide",
    items: "in_review",
    none: {
      title: "Nothing to decide",
      sentence: "Sales come here when the two sides don't agree, or when nobody answers.",
    },
  },
  reports: {
    label: "Issue reports",
    reports: "open",
    none: { title: "No open issue reports", sentence: "New issue reports from buyers appear here." },
  },
  talking: {
    label: "Between the two sides",
    items: "talking",
    none: {
      title: "No open problems",
      sentence: "Problems that buyers and sellers are still settling appear here.",
    },
  },
  closed: { label: "Closed reports", reports: "closed", none: { title: "No closed issue reports" } },
} as const satisfies Record<string, ProblemList>;

export type ProblemListName = keyof typeof PROBLEM_LISTS;

export function problemList(name: ProblemListName): ProblemList {
  return PROBLEM_LISTS[name];
}

export function readProblemList(text: string | null): ProblemListName {
  return text !== null && Object.hasOwn(PROBLEM_LISTS, text) ? (text as ProblemListName) : "waiting";
}
