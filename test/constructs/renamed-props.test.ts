import { expect, it } from '@jest/globals';
import { ClaimCheckBucket, MessageEndpoint, OutboxTable, SagaTable, TableCapacity } from 'sagabox/constructs';
import { unbundledStack, violationsOf } from './support.ts';

const stack = unbundledStack();
const range = { minCapacity: 1, maxCapacity: 2 };
const tableOf = (id: string, capacity: TableCapacity) => new SagaTable(stack, id, { capacity });

/** As plain JavaScript passes props by their names before 1.0: all of them are reported at once. */
it.each<[string, string, string, (id: string, old: never) => unknown]>([
  ['Table', 'recoveryIndex', 'relayIndex', (id, old) => new OutboxTable(stack, id, old)],
  ['Endpoint', 'recoveryIndex', 'relayIndex', (id, old) => new MessageEndpoint(stack, id, old)],
  [
    'Remembering',
    'timeToKeepDeduplicationData',
    'deduplicationPeriod',
    (id, old) => new MessageEndpoint(stack, id, old),
  ],
  ['Bucket', 'retentionDays', 'retention', (id, old) => new ClaimCheckBucket(stack, id, old)],
  ['Reads', 'maxReadUnits', 'maxReadRequestUnits', (id, old) => tableOf(id, TableCapacity.onDemand(old))],
  ['Writes', 'maxWriteUnits', 'maxWriteRequestUnits', (id, old) => tableOf(id, TableCapacity.onDemand(old))],
  [
    'Least',
    'minUnits',
    'minCapacity',
    (id, old) => tableOf(id, TableCapacity.provisioned({ read: old, write: range })),
  ],
  [
    'Most',
    'maxUnits',
    'maxCapacity',
    (id, old) => tableOf(id, TableCapacity.provisioned({ read: range, write: old })),
  ],
  [
    'Peak',
    'minUnits',
    'minCapacity',
    (id, old) => {
      const peaks = [Object.assign({ read: old }) as never];
      return tableOf(id, TableCapacity.forWorkload({} as never, { scheduledPeaks: peaks }));
    },
  ],
])('%s: %s is reported: it is called %s now', (id, oldName, newName, make) => {
  make(id, { [oldName]: 1 } as never);
  const reports = violationsOf(stack)
    .split('\n')
    .filter((line) => line.includes(`[Test/${id}]`));
  expect(reports.join('\n')).toMatch(new RegExp(`${oldName}: it is called '${newName}' now`));
});
