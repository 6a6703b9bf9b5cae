import { expect, it } from '@jest/globals';
import { ClaimCheckBucket, MessageEndpoint, OutboxTable, TableCapacity } from 'sagabox/constructs';
import { refusal, unbundledStack } from './support.ts';

const stack = unbundledStack();
const range = { minCapacity: 1, maxCapacity: 2 };

/** As plain JavaScript passes props by their names before 1.0. */
it.each<[string, string, (old: never) => unknown]>([
  ['recoveryIndex', 'relayIndex', (old) => new OutboxTable(stack, 'Old', old)],
  ['recoveryIndex', 'relayIndex', (old) => new MessageEndpoint(stack, 'OldEndpoint', old)],
  ['timeToKeepDeduplicationData', 'deduplicationPeriod', (old) => new MessageEndpoint(stack, 'OldTime', old)],
  ['retentionDays', 'retention', (old) => new ClaimCheckBucket(stack, 'OldBucket', old)],
  ['maxReadUnits', 'maxReadRequestUnits', (old) => TableCapacity.onDemand(old)],
  ['maxWriteUnits', 'maxWriteRequestUnits', (old) => TableCapacity.onDemand(old)],
  ['minUnits', 'minCapacity', (old) => TableCapacity.provisioned({ read: old, write: range })],
  ['maxUnits', 'maxCapacity', (old) => TableCapacity.provisioned({ read: range, write: old })],
  [
    'minUnits',
    'minCapacity',
    (old) =>
      TableCapacity.forWorkload({} as never, { scheduledPeaks: [Object.assign({ read: old }) as never] }),
  ],
])('%s is refused: it is called %s now', (oldName, newName, make) => {
  const error = refusal(() => make({ [oldName]: 1 } as never));
  expect(error.code).toBe('Configuration');
  expect(error.message).toContain(`${oldName}: it is called '${newName}' now`);
});
