import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readPage, section, tableRows } from '../support/page-tables.ts';
import { repository } from '../support/source-files.ts';

const { engines, peerDependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
const requirements = section(readPage('guide/getting-started.md'), '## Requirements');
const versionsIn = (range = '') => range.match(/\d+\.\d+\.\d+/g);

it('docs/guide/getting-started.md has the versions of package.json', () => {
  const rows = tableRows(requirements);
  for (const [name, range] of Object.entries<string>(peerDependencies)) {
    const [versions] = rows.get(name.replace(/^@aws-sdk\/client-.*/, '@aws-sdk/client-*')) ?? [];
    expect([name, versionsIn(versions)]).toEqual([name, versionsIn(range)]);
  }
  expect(requirements).toContain(`- **Node** ${engines.node.replace('>=', '')} or newer`);
});

it('README.md has those that an app with the constructs needs', () => {
  const page = readFileSync(join(repository, 'README.md'), 'utf8');
  for (const name of ['@aws-sdk/client-sqs', 'aws-cdk-lib'])
    expect(page).toContain(versionsIn(peerDependencies[name])?.[0]);
});
