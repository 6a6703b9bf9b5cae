import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '..');
const { exports } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));

const entryPoints = Object.values(exports)
  .map((entryPoint) => entryPoint['sagabox-source'])
  .filter((source) => source !== undefined);

/** @type {import('typedoc').TypeDocOptions & import('typedoc-plugin-markdown').PluginOptions} */
export default {
  plugin: [
    'typedoc-plugin-markdown',
    './typedoc-entry-points.js',
    './typedoc-prose-defaults.js',
    './typedoc-error-codes.js',
  ],
  entryPoints: entryPoints.map((source) => join(repository, source)),
  tsconfig: 'tsconfig.json',
  out: 'api',
  readme: 'none',
  router: 'member',
  entryFileName: 'index',
  // TypeScript 7, which the package is checked with, has no API for TypeDoc; an older compiler reports other errors.
  skipErrorChecking: true,
  disableSources: true,
  excludeExternals: true,
  excludePrivate: true,
  excludeProtected: true,
  excludeInternal: true,
  // Types that a signature shows, but that no entry point exports.
  validation: { notExported: false, invalidLink: true },
  hidePageHeader: true,
  hideBreadcrumbs: true,
  parametersFormat: 'table',
  useCodeBlocks: true,
  tableColumnSettings: { hideInherited: true, hideOverrides: true },
  sanitizeComments: true,
};
