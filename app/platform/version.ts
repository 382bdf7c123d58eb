/** The release that runs, as `package.json` names it: "1.0.0". CHANGELOG.md says what is new in it. */
export { version as VERSION } from "#package.json";
