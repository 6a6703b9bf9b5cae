import type { Manifest } from './manifest.ts';

const documentPath = /\bdocs\/((?:design|guide|proof|reference)\/[a-z-]+)\.md\b/g;

/** The address of a page of `docs/` at the site. @param document without the folder and `.md`, as in 'guide/sagas' */
function documentAddress(document: string, homepage: string): string {
  return `${homepage}/${document}.html`;
}

/** Code whose messages and comments name pages of `docs/` by their address: the package does not have the files. */
export function withDocumentAddresses(code: string, homepage: string): string {
  return code.replace(documentPath, (_path, document: string) => documentAddress(document, homepage));
}

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
        : documentAddress(document, manifest.homepage);
    return `](${address}${anchor})`;
  });
}
