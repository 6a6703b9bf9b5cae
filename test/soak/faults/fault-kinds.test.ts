import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repository } from '../../support/source-files.ts';
import { faultRates } from '../run.ts';
import { faultsOf, perMillion } from './fault-kinds.ts';

/** Of everything that workers call. */
const operations = [
  ...['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems', 'BatchWriteItem', 'BatchExecuteStatement'],
  ...['BatchGetItem', 'Query', 'Scan'],
  ...['ReceiveMessage', 'SendMessageBatch', 'DeleteMessageBatch', 'ChangeMessageVisibilityBatch'],
];

function oneOf(kind: 'request' | 'call'): string {
  const counts = operations.map(
    (operation) => perMillion / (faultRates[kind] * faultsOf(operation, kind === 'call').length),
  );
  return `${Math.round(Math.min(...counts))} to ${Math.round(Math.max(...counts))}`;
}

describe('the faults of calls', () => {
  it('are as frequent as the table of docs/proof/soak.md has it', () => {
    const docs = readFileSync(join(repository, 'docs/proof/soak.md'), 'utf8');
    for (const kind of ['request', 'call'] as const) expect(docs).toContain(`| ${kind}s | ${oneOf(kind)} |`);
  });
});
