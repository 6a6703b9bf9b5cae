import { describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import type { Workload } from 'sagabox/capacity';
import { MessagingTable, OutboxTable, SagaTable, TableCapacity } from 'sagabox/constructs';

const message = { sagaBytes: 1_000, outgoing: 1 };
const small: Workload = { message, messagesPerSecond: 10 };
const large: Workload = {
  message,
  messagesPerSecond: 25_000,
  batchSize: 10,
  scale: { busiestSagaMessagesPerSecond: 600 },
};

/** The ids of the warnings about limits, and the limits of the table. */
function warned(build: (stack: Stack) => SagaTable | OutboxTable | MessagingTable) {
  const stack = new Stack(new App(), 'Scale', { env: { region: 'us-east-1' } });
  const { limits, node } = build(stack);
  const warnings = Annotations.fromStack(stack).findWarning(`/${node.path}`, Match.anyValue());
  const texts = warnings.map(({ entry }) => String(entry.data));
  const ids = texts.flatMap((text) => /\[ack: sagabox:(\w+)\]/.exec(text)?.[1] ?? []).sort();
  return { limits, ids, texts };
}

describe('a table of a workload', () => {
  it('has no warning within its limits, and knows what comes first', () => {
    const { limits, ids } = warned(
      (stack) => new SagaTable(stack, 'Sagas', { capacity: TableCapacity.forWorkload(small) }),
    );
    expect(ids).toEqual([]);
    expect(limits.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['sagaItem', 'accountConcurrency', 'accountWrites']),
    );
    expect(limits[0]?.usedPercent).toBeLessThan(1);
  });

  it('warns of each limit of its own that the workload passes, with both figures and the way out', () => {
    const { limits, ids, texts } = warned(
      (stack) => new SagaTable(stack, 'Sagas', { capacity: TableCapacity.forWorkload(large) }),
    );
    expect(ids).toEqual(['provisionedWrites', 'sagaTurns', 'sagaWrites']);
    expect(texts.join('\n')).toContain(
      'it takes 1,200 WCU/s (one saga), and there are 1,000 ("Best practices for designing',
    );
    expect(limits.filter(({ isPassed }) => isPassed).map(({ name }) => name)).toEqual(
      expect.arrayContaining(ids),
    );
  });

  it('leaves those of the other table to it', () => {
    const capacity = TableCapacity.forWorkload(large);
    const { ids } = warned((stack) => new OutboxTable(stack, 'Outbox', { capacity, relayIndex: true }));
    // The table, and its index.
    expect(ids).toEqual(['accountWrites', 'provisionedWrites', 'provisionedWrites', 'relayIndexWrites']);
  });

  it('adds up the workloads that share it', () => {
    const half = { ...large, messagesPerSecond: 12_500, scale: {} };
    const ids = (...workloads: Workload[]) =>
      warned((stack) => new SagaTable(stack, 'Sagas', { capacity: TableCapacity.forWorkload(workloads) }))
        .ids;
    expect(ids(half)).toEqual([]);
    expect(ids(half, half)).toEqual(['provisionedWrites']);
  });

  it('on demand is compared with what it takes at once, unless it is warmed', () => {
    const workload = { message, messagesPerSecond: 3_000 };
    const ids = (warm: object) =>
      warned(
        (stack) =>
          new MessagingTable(stack, 'Table', { capacity: TableCapacity.onDemand({ workload }), ...warm }),
      ).ids;
    expect(ids({})).toEqual(['newTableWrites']);
    expect(ids({ warmThroughput: { writeUnitsPerSecond: 20_000 } })).toEqual([]);
  });
});
