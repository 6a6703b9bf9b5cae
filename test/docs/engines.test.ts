import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { endpointVariable, engineVariable } from '../../lib/local/engines/choose-engine.ts';
import { type EngineDifference, engineDifferences } from '../support/engine-differences.ts';

const page = await readFile(new URL('../../docs/reference/engines.md', import.meta.url), 'utf8');

/** The rows of the table under a heading, by their cells. */
function rowsUnder(heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [, ...rows] = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (.+) \|$/gm)];
  return rows.map(([, cells = '']) => cells.split(' | '));
}

it('docs/reference/engines.md has the differences between the engines, each with its reason', () => {
  const differences: readonly EngineDifference[] = Object.values(engineDifferences);
  const rows = differences.map(({ dynamoDB, engines, reason }) => {
    const cellOf = (engine: EngineDifference['engines'][number]) =>
      engines.includes(engine) ? reason : 'as DynamoDB';
    return [dynamoDB, cellOf('dynoxide'), cellOf('DynamoDB Local')];
  });
  expect(rowsUnder('What an engine cannot show')).toEqual(rows);
});

it('docs/reference/engines.md names the settings of the code', () => {
  for (const setting of [endpointVariable, engineVariable]) expect(page).toContain(`\`${setting}\``);
  for (const name of ['dynoxide', 'dynamodb-local']) expect(page).toContain(`\`${name}\``);
});
