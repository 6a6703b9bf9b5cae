import { titleOf } from '../../site/pages.ts';

/**
 * The text of a docstring for a page of docs/reference or docs/guide. Docstrings name pages and headings by their files,
 * as their readers have no links: `docs/guide/relay.md#options`.
 */
export function withLinks(text: string): string {
  return text.replace(/\bdocs\/([\w/-]+\.md)(#[\w-]+)?\b/g, (_mention, path: string, anchor = '') => {
    const title = titleOf(`docs/${path}`, anchor === '' ? undefined : anchor.slice(1));
    return `[${title}](../${path}${anchor})`;
  });
}
