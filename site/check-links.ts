import { existsSync } from 'node:fs';
import { join, posix, relative } from 'node:path';

/**
 * What VitePress does not look at: anchors, links of the home page's front matter and of menus, and what a page loads from
 * other hosts.
 */
export class LinkCheck {
  readonly #pages = new Map<string, string>();

  /** @param file Of the built page. */
  add(file: string, html: string): void {
    this.#pages.set(file, html);
  }

  /** @throws Error with all links that lead nowhere, and all that is loaded from elsewhere. */
  finish(outDir: string, base: string): void {
    const anchors = new Map(
      [...this.#pages].map(([file, html]) => [relative(outDir, file), anchorsOf(html)]),
    );
    const problems = [...this.#pages].flatMap(([file, html]) => {
      const page = relative(outDir, file);
      const dead = [...new Set(linksOf(html))].filter((link) => {
        const [path = '', anchor = ''] = link.split('#');
        const target = path === '' ? page : targetOf(page, path, base);
        const known = anchors.get(target);
        if (known === undefined) return !existsSync(join(outDir, target));
        return anchor !== '' && !known.has(decodeURIComponent(anchor));
      });
      return [
        ...dead.map((link) => `${page}: dead link ${link}`),
        ...loadedFromElsewhere(html).map((found) => `${page}: loads ${found}`),
      ];
    });
    if (problems.length > 0)
      throw new Error(`The site has ${problems.length} problems:\n${problems.join('\n')}`);
  }
}

function targetOf(page: string, path: string, base: string): string {
  const absolute = path.startsWith(base) ? path.slice(base.length) : posix.join(posix.dirname(page), path);
  return absolute === '' || absolute.endsWith('/') ? `${absolute}index.html` : absolute;
}

function anchorsOf(html: string): Set<string> {
  return new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id));
}

function linksOf(html: string): string[] {
  return [...html.matchAll(/<a\s[^>]*?href="([^"]*)"/g)]
    .map(([, href = '']) => href.replaceAll('&amp;', '&'))
    .filter((href) => href !== '' && !/^[a-z]+:/.test(href));
}

function loadedFromElsewhere(html: string): string[] {
  const loading =
    /<(?:script|img|iframe|source)\s[^>]*?src="(?:https?:)?\/\/[^"]*"|<link\s[^>]*?href="(?:https?:)?\/\/[^"]*"|@import url\([^)]*\)/g;
  return html.match(loading) ?? [];
}
