import type { MarkdownRenderer } from 'vitepress';
import { drawDiagram } from './diagrams.ts';
import { type LinkTargets, linkPages } from './link-pages.ts';

/** What the site does to pages that the repository's host shows as they are. */
export function sitePlugin(md: MarkdownRenderer, targets: LinkTargets): void {
  md.core.ruler.push('site-links', (state) => linkPages(state, targets));

  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index];
    if (token?.info.trim() !== 'mermaid') return fence?.(tokens, index, options, env, self) ?? '';
    // As an attribute: Vue takes no style elements out of a template.
    const svg = md.utils.escapeHtml(JSON.stringify(drawDiagram(token.content)));
    return `<figure class="diagram" v-html="${svg}"></figure>\n`;
  };
}
