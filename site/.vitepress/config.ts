import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { LinkCheck } from '../check-links.ts';
import { headingAnchor } from '../heading-anchor.ts';
import { sitePlugin } from '../markdown/plugin.ts';
import { pagesOfExports, repository, sitePath } from '../pages.ts';
import { apiSidebars, pageSidebar } from '../sidebars.ts';

const { description, repository: hosted } = JSON.parse(
  readFileSync(join(repository, 'package.json'), 'utf8'),
);
const hostedAt = hosted?.url?.replace(/^git\+|\.git$/g, '');
/** Not a placeholder, to which no link may lead. */
const repositoryUrl = hostedAt && !new URL(hostedAt).hostname.endsWith('.example') ? hostedAt : undefined;

/** A box, in the address bar's size. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#3451b2" d="M8 0 15 4v8l-7 4-7-4V4z"/><path stroke="#fff" fill="none" d="M1 4l7 4 7-4M8 8v8"/></svg>';

const exportPages = pagesOfExports();
const linkCheck = new LinkCheck();

export default defineConfig({
  title: 'sagabox',
  description,
  srcDir: '..',
  // All that `sitePath` has no place for, and TypeDoc's list of entry points: docs/reference/api.md is ours.
  srcExclude: ['!(docs|examples|site)/**/*', 'README.md', 'site/api/index.md'],
  outDir: 'dist',
  cacheDir: '.vitepress/cache',
  base: process.env.SITE_BASE ?? '/',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  rewrites: (source) => sitePath(source) ?? source,
  markdown: {
    anchor: { slugify: headingAnchor },
    config: (md) =>
      sitePlugin(md, {
        repositoryUrl,
        exportPage: (entryPoint, name) => exportPages.get(`${entryPoint} ${name}`),
      }),
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    sidebar: { ...apiSidebars(), '/': pageSidebar() },
    nav: [
      { text: 'Get started', link: '/guide/getting-started' },
      { text: 'Guides', link: '/guide/sagas', activeMatch: '^/(guide|examples)/(?!getting-started)' },
      { text: 'Reference', link: '/reference/api', activeMatch: '^/reference/' },
      { text: 'Proof', link: '/proof/benchmarks', activeMatch: '^/proof/' },
      { text: 'Changelog', link: '/changelog' },
    ],
    socialLinks: repositoryUrl === undefined ? [] : [{ icon: 'github', link: repositoryUrl }],
  },
  transformPageData({ filePath, title }) {
    // Their headings are the names to import, one of which is the name of the site.
    return /^site\/api\/.*\/index\.md$/.test(filePath) ? { title: `Exports of ${title}` } : {};
  },
  transformHtml(html, file) {
    linkCheck.add(file, html);
  },
  buildEnd({ outDir, site }) {
    linkCheck.finish(outDir, site.base);
  },
});
