const heading = '## Unreleased';

/**
 * The changelog with what is unreleased under the version and its date, and an empty section above it.
 *
 * @param date in UTC: 2026-01-31
 * @throws Error if nothing is unreleased
 */
export function releasedChangelog(changelog: string, version: string, date: string): string {
  const [before, after] = changelog.split(`${heading}\n`);
  if (after === undefined) throw new Error(`CHANGELOG.md has no section '${heading}'`);
  if (after.split(/^## /m)[0]?.trim() === '') throw new Error(`Nothing in CHANGELOG.md is unreleased`);
  return `${before}${heading}\n\n## ${version} - ${date}\n${after}`;
}
