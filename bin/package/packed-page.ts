import type { Manifest } from './manifest.ts';

/** Files of the repository that are in the package, under the same name. */
export const packedFiles = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'THIRD-PARTY.md', 'LICENSE'] as const;

/** The address that the source is published at. */
export function repositoryAddress({ repository }: Pick<Manifest, 'repository'>): string {
  return repository.url.replace(/^git\+|\.git$/g, '');
}

/**
 * A page of the root folder as the package has it: links to pages of `docs/` lead to the site, and links to
 * other files that are not in the package lead to the repository.
 */
export function packedPage(page: string, manifest: Pick<Manifest, 'homepage' | 'repository'>): string {
  return page.replace(/\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)/g, (link, path: string, anchor = '') => {
    if ((packedFiles as readonly string[]).includes(path)) return link;
    const [, document] = /^docs\/(.+)\.md$/.exec(path) ?? [];
    const address =
      document === undefined
        ? `${repositoryAddress(manifest)}/blob/HEAD/${path}`
        : `${manifest.homepage}/${document}.html`;
    return `](${address}${anchor})`;
  });
}
