import type { MarkdownRenderer } from 'vitepress';
import { sitePath, titleOf } from '../pages.ts';

type State = Parameters<Parameters<MarkdownRenderer['core']['ruler']['push']>[1]>[0];
type Token = State['tokens'][number];

/** A page or a heading as docstrings name it, whose readers have no links: `docs/guide/relay.md#options`. */
const mention = /\b(docs\/[\w/-]+\.md(?:#[\w-]+)?)\b/;

/** Leads the pages that a text names to their places, under their titles. */
export function linkedMentions(state: State, children: readonly Token[]): Token[] {
  return children.flatMap((child) =>
    child.type === 'text' ? child.content.split(mention).flatMap((part) => tokensOf(state, part)) : [child],
  );
}

function tokensOf(state: State, part: string): Token[] {
  if (!mention.test(part)) return part === '' ? [] : [textToken(state, part)];
  const open = new state.Token('link_open', 'a', 1);
  const [page = '', anchor] = part.split('#');
  open.attrSet('href', `/${sitePath(page)}${anchor === undefined ? '' : `#${anchor}`}`);
  return [open, textToken(state, titleOf(page, anchor)), new state.Token('link_close', 'a', -1)];
}

function textToken(state: State, content: string): Token {
  const token = new state.Token('text', '', 0);
  token.content = content;
  return token;
}
