import type { MarkdownEnv, MarkdownRenderer } from 'vitepress';
import { siteLink } from './links.ts';
import { linkedMentions } from './page-mentions.ts';

type State = Parameters<Parameters<MarkdownRenderer['core']['ruler']['push']>[1]>[0];
type Token = State['tokens'][number];

export interface LinkTargets {
  /** Where the repository's files can be seen, if that is known: `https://host/owner/name`. */
  readonly repositoryUrl: string | undefined;
  /** The generated page of an export, by its entry point and name: `sagabox/testing`, `testSaga`. */
  exportPage(entryPoint: string, name: string): string | undefined;
}

/** Leads the links of one page to the places of the site. */
export function linkPages(state: State, targets: LinkTargets): void {
  const { realPath, path } = state.env as Partial<MarkdownEnv>;
  const sourceFile = realPath ?? path;
  // The title in a front matter.
  if (sourceFile === undefined) return;
  const isGenerated = sourceFile.includes('/site/api/');
  const isListOfExports = sourceFile.endsWith('docs/reference/api.md');
  let heading = '';
  for (const [index, token] of state.tokens.entries()) {
    if (token.type !== 'inline' || token.children === null) continue;
    if (state.tokens[index - 1]?.type === 'heading_open') heading = token.content.replaceAll('`', '');
    token.children = linkedElsewhere(token.children, (href) =>
      siteLink(sourceFile, href, targets.repositoryUrl),
    );
    if (isGenerated) token.children = linkedMentions(state, token.children);
    if (isListOfExports) token.children = linkedExport(state, token.children, heading, targets);
  }
}

function linkedElsewhere(children: readonly Token[], linkOf: (href: string) => string | undefined): Token[] {
  let isRemoved = false;
  return children.filter((child) => {
    if (child.type === 'link_open') {
      const link = linkOf(child.attrGet('href') ?? '');
      isRemoved = link === undefined;
      if (link !== undefined) child.attrSet('href', link);
      return !isRemoved;
    }
    return !(isRemoved && child.type === 'link_close');
  });
}

/** A cell that is one name of code. */
function linkedExport(
  state: State,
  children: Token[],
  entryPoint: string,
  { exportPage }: LinkTargets,
): Token[] {
  const [only, ...others] = children;
  if (only?.type !== 'code_inline' || others.length > 0) return children;
  const page = exportPage(entryPoint, only.content);
  if (page === undefined) return children;
  const open = new state.Token('link_open', 'a', 1);
  open.attrSet('href', page);
  return [open, only, new state.Token('link_close', 'a', -1)];
}
