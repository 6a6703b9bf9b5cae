import { basename } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { existingGroups } from './navigation.ts';
import { entryPointOf, generatedPages, sitePath, titleOf, writtenPages } from './pages.ts';

/** The sidebar of all pages that people wrote. */
export function pageSidebar(): DefaultTheme.SidebarItem[] {
  return existingGroups(writtenPages()).map((group) => ({
    text: group.title,
    collapsed: false,
    items: group.pages.map((source) => ({ text: titleOf(source), link: linkTo(source) })),
  }));
}

/** By the place of an entry point: all entry points, and the exports of that one. */
export function apiSidebars(): Record<string, DefaultTheme.SidebarItem[]> {
  const generated = generatedPages();
  const indexes = generated
    .filter((source) => /^site\/api\/.+\/index\.md$/.test(source))
    .toSorted((a, b) => titleOf(a).localeCompare(titleOf(b)));
  const exportsOf = (index: string) =>
    generated
      .filter((source) => entryPointOf(source) === titleOf(index) && !indexes.includes(source))
      .map((source) => ({ text: basename(source, '.md'), link: linkTo(source) }))
      .toSorted((a, b) => a.text.localeCompare(b.text));
  return Object.fromEntries(
    indexes.map((current) => [
      linkTo(current).replace(/index$/, ''),
      [
        { text: 'All exports', link: '/reference/api' },
        ...indexes.map((index) => ({
          text: titleOf(index),
          link: linkTo(index),
          ...(index === current ? { items: exportsOf(index) } : {}),
        })),
      ],
    ]),
  );
}

function linkTo(source: string): string {
  return `/${sitePath(source)?.replace(/\.md$/, '')}`;
}
