/**
 * The oldest browsers for which the app is built. The build translates newer syntax and style rules for them; what a
 * browser lacks otherwise, the code must do without (tests/rules/oldest-browsers.test.ts). Tests take newer features
 * away from today's Chromium (tests/e2e/oldest-browsers.spec.ts).
 */
export const OLDEST_BROWSERS = { chrome: "111", edge: "111", firefox: "121", safari: "16.4" } as const;

/**
 * The oldest browsers that know cascade layers. Those between get pages without scripts, with their styles.
 */
export const OLDEST_STYLED = { chrome: "99", edge: "99", firefox: "97", safari: "15.4" } as const;
