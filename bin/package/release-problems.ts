import type { Manifest } from './manifest.ts';

/** What a release would be made of. */
export interface Release {
  readonly version: string;
  readonly manifest: Manifest;
  /** As `git status --porcelain` prints it. */
  readonly changes: string;
  readonly tags: readonly string[];
}

/** All reasons not to release, each with its remedy, but for {@link placeholders}: a dry run takes them. */
export function releaseProblems({ version, manifest, changes, tags }: Release): string[] {
  const problems = [
    !/^\d+\.\d+\.\d+$/.test(version) && `'${version}' is no version: give one such as 1.2.3`,
    !isNewer(version, manifest.version) &&
      `${version} is not newer than ${manifest.version}: give a newer one`,
    tags.includes(`v${version}`) && `The tag v${version} exists: give another version`,
    changes !== '' && `The tree has changes: commit or remove them\n${changes}`,
  ];
  return problems.filter((problem) => problem !== false);
}

/** All reasons not to publish, but for {@link placeholders}. `tags` are those of the commit that is checked out. */
export function publishProblems({ version, manifest, changes, tags }: Release): string[] {
  const problems = [
    version !== manifest.version &&
      `package.json has version ${manifest.version}, not ${version}: check out the tag`,
    !tags.includes(`v${version}`) &&
      `The commit has no tag v${version}: make it with npm run release -- ${version} --tag`,
    changes !== '' && `The tree has changes: commit or remove them\n${changes}`,
  ];
  return problems.filter((problem) => problem !== false);
}

/**
 * Fields of package.json that still hold an address that nobody owns. They hinder tagging too: what is published is
 * the commit of the tag.
 */
export function placeholders({ homepage, repository, bugs }: Manifest): string[] {
  const addresses = { homepage, repository: repository.url, bugs: bugs.url };
  return Object.entries(addresses)
    .filter(([, address]) => new URL(address).hostname.endsWith('.example'))
    .map(
      ([field, address]) => `'${field}' in package.json is a placeholder, ${address}: give the real address`,
    );
}

function isNewer(version: string, than: string): boolean {
  const ours = version.split('.').map(Number);
  const theirs = than.split('.').map(Number);
  const at = ours.findIndex((part, index) => part !== theirs[index]);
  return at >= 0 && Number(ours[at]) > Number(theirs[at]);
}
