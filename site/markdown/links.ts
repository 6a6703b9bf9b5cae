import { existsSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { repository, sitePath } from '../pages.ts';

/**
 * A link of a page, as the site has it: of files in the repository, those in the site by their place there, the others at
 * the repository's host. Without a known host, undefined: the link goes and its words stay.
 */
export function siteLink(
  sourceFile: string,
  href: string,
  repositoryUrl: string | undefined,
): string | undefined {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const source = normalize(join(dirname(relative(repository, sourceFile)), path));
  const place = sitePath(source);
  if (place !== undefined && source.endsWith('.md'))
    return `/${place}${anchor === undefined ? '' : `#${anchor}`}`;
  if (!existsSync(join(repository, source))) return href;
  return repositoryUrl === undefined ? undefined : `${repositoryUrl}/blob/HEAD/${source}`;
}
