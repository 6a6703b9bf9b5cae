import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repository } from '../../support/source-files.ts';
import { faultRates } from '../run.ts';
import { faultsOf, perMillion } from './fault-kinds.ts';

/** Of everything that workers call. */
const operations = [
  ...['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems', 'BatchWriteItem'],
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
  it('are as frequent as docs/proof/soak.md tells', () => {
    const docs = readFileSync(join(repository, 'docs/proof/soak.md'), 'utf8').replace(/\s+/g, ' ');
    expect(docs).toContain(`One of ${oneOf('request')} requests and one of ${oneOf('call')} calls meets one`);
  });
});
