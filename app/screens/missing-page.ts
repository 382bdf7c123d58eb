/** How a public page answers for something that was there (`gone`), or never was (`unknown`). */
export const MISSING_PAGE = {
  gone: { status: 410, title: "No longer here" },
  unknown: { status: 404, title: "Not found" },
} as const;
