import { expect, it } from '@jest/globals';
import { endpointVariable, engineVariable } from '../../lib/local/engines/choose-engine.ts';
import { type EngineDifference, engineDifferences } from '../support/engine-differences.ts';
import { readPage, section } from '../support/page-tables.ts';

const page = readPage('reference/engines.md');

it('docs/reference/engines.md has the differences between the engines, each with its reason', () => {
  const differences: readonly EngineDifference[] = Object.values(engineDifferences);
  const rows = differences.map(({ dynamoDB, engines, reason }) => {
    const cellOf = (engine: EngineDifference['engines'][number]) =>
      engines.includes(engine) ? reason : 'as DynamoDB';
    return [dynamoDB, cellOf('dynoxide'), cellOf('DynamoDB Local')];
  });
  const [, ...written] = [...section(page, '## What an engine cannot show').matchAll(/^\| (.+) \|$/gm)];
  expect(written.map(([, cells = '']) => cells.split(' | '))).toEqual(rows);
});

it('docs/reference/engines.md names the settings of the code', () => {
  for (const setting of [endpointVariable, engineVariable]) expect(page).toContain(`\`${setting}\``);
  for (const name of ['dynoxide', 'dynamodb-local']) expect(page).toContain(`\`${name}\``);
});
