import { describe, expect, it } from '@jest/globals';
import { App, CfnParameter, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Schedule } from 'aws-cdk-lib/aws-applicationautoscaling';
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
  return { limits, ids, texts, template: Template.fromStack(stack) };
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
    expect(ids).toEqual([
      'accountWrites',
      'provisionedReads',
      'provisionedWrites',
      'sagaTurns',
      'sagaWrites',
    ]);
    expect(texts.join('\n')).toContain(
      'it takes 1,200 WCU/s (one saga), and there are 1,000 ("Best practices for designing',
    );
    expect(limits.filter(({ isPassed }) => isPassed).map(({ name }) => name)).toEqual(
      expect.arrayContaining(ids),
    );
  });

  it('leaves those of the other table to it', () => {
    const capacity = TableCapacity.forWorkload(large);
    const { ids } = warned((stack) => new OutboxTable(stack, 'Outbox', { capacity, relayStream: true }));
    expect(ids).toEqual(['accountWrites', 'provisionedReads', 'provisionedWrites', 'unreadStream']);
  });

  it('adds up the workloads that share it', () => {
    const half = { ...large, messagesPerSecond: 6_000, scale: {} };
    const ids = (...workloads: Workload[]) =>
      warned((stack) => new SagaTable(stack, 'Sagas', { capacity: TableCapacity.forWorkload(workloads) }))
        .ids;
    expect(ids(half)).toEqual([]);
    expect(ids(half, half)).toEqual(['provisionedWrites']);
  });

  it.each([
    [4_999, false],
    [5_000, true],
  ])(
    'has the concurrency of all of them as one limit of the account: 5,000 and %d messages a second',
    (rate, isPassed) => {
      const workloads = [5_000, rate].map((messagesPerSecond) => ({ message, messagesPerSecond }));
      const capacity = TableCapacity.onDemand({ workload: workloads });
      const { limits } = warned((stack) => new SagaTable(stack, 'Sagas', { capacity }));
      const shared = limits.filter(({ name }) => name === 'accountConcurrency');
      expect(shared).toMatchObject([
        { figure: expect.closeTo((5_000 + rate) / 10, 9), limit: 1_000, isPassed },
      ]);
      // Each has a queue with an event source of its own.
      expect(limits.filter(({ name }) => name === 'eventSourceConcurrency')).toHaveLength(2);
    },
  );

  it.each([
    [14_999, false],
    [15_000, true],
  ])(
    'has the messages of all of them to topics as one limit of the account: 15,000 and %d',
    (rate, isPassed) => {
      const scale = { topicMessages: 1 };
      const workloads = [15_000, rate].map((messagesPerSecond) => ({ message, messagesPerSecond, scale }));
      const capacity = TableCapacity.onDemand({ workload: workloads });
      const { limits } = warned((stack) => new SagaTable(stack, 'Sagas', { capacity }));
      const shared = limits.filter(({ name }) => name === 'topicMessages');
      expect(shared).toMatchObject([{ figure: 15_000 + rate, limit: 30_000, isPassed }]);
    },
  );

  it.each([
    [7_000, 40_000, []],
    [7_001, 40_006, ['provisionedWrites']],
  ])('of %d messages a second, deployed for twice their need, goes up to %d WCU', (rate, most, passed) => {
    const workload = { message, messagesPerSecond: rate };
    const { limits, ids, texts, template } = warned(
      (stack) =>
        new SagaTable(stack, 'Sagas', { capacity: TableCapacity.forWorkload(workload, { headroom: 2 }) }),
    );
    expect(ids).toEqual(passed);
    template.hasResourceProperties('AWS::ApplicationAutoScaling::ScalableTarget', { MaxCapacity: most });
    const declared = limits.filter(({ name }) => ['provisionedWrites', 'accountWrites'].includes(name));
    expect(declared.map(({ of, figure }) => [of, figure])).toEqual([
      ['saga table', most],
      ['account', most],
    ]);
    for (const limit of declared) expect(limit).not.toHaveProperty('reachedAtMessagesPerSecond');
    if (passed.length > 0)
      expect(texts[0]).toMatch(
        /^capacity: it goes up to 40,006 WCU\/s, provisioned \(saga table\), and the default/,
      );
  });

  const units = (maxCapacity: number) => ({ minCapacity: 1, maxCapacity });
  const [start, end] = [Schedule.cron({ hour: '8' }), Schedule.cron({ hour: '20' })];
  const provisioned = (write: number, peak: number = write) =>
    TableCapacity.provisioned({
      read: units(1_000),
      write: units(write),
      scheduledPeaks: [{ start, end, write: units(peak) }],
      workload: small,
    });
  const limited = (maxWriteRequestUnits: number) =>
    TableCapacity.onDemand({ maxWriteRequestUnits, workload: small });

  it.each<[what: string, capacity: TableCapacity, ids: string[]]>([
    ['40,000 provisioned units', provisioned(40_000), []],
    ['40,001 provisioned units', provisioned(40_001), ['provisionedWrites']],
    ['79,999 provisioned units', provisioned(79_999), ['provisionedWrites']],
    [
      '80,000 provisioned units, all of the account',
      provisioned(80_000),
      ['accountWrites', 'provisionedWrites'],
    ],
    ['40,000 units at a peak', provisioned(100, 40_000), []],
    ['40,001 units at a peak', provisioned(100, 40_001), ['provisionedWrites']],
    ['40,000 request units', limited(40_000), []],
    ['40,001 request units', limited(40_001), ['tableWrites']],
  ])('is compared with what it declares, whatever its workload needs: %s', (_what, capacity, ids) => {
    expect(warned((stack) => new SagaTable(stack, 'Sagas', { capacity })).ids).toEqual(ids);
  });

  it('is compared with its plan where only the deployment knows the units', () => {
    const { limits } = warned((stack) => {
      const maxCapacity = new CfnParameter(stack, 'Units', { type: 'Number' }).valueAsNumber;
      const open = { minCapacity: 1, maxCapacity };
      const capacity = TableCapacity.provisioned({ read: open, write: open, workload: small });
      return new SagaTable(stack, 'Sagas', { capacity });
    });
    // 20 WCU at a utilization of 70 %.
    expect(limits.find(({ name }) => name === 'provisionedWrites')?.figure).toBe(29);
  });

  it('is compared with its plan, too, where only a scheduled maximum is known', () => {
    const { limits } = warned((stack) => {
      const maxCapacity = new CfnParameter(stack, 'Units', { type: 'Number' }).valueAsNumber;
      const open = { minCapacity: 1, maxCapacity };
      const schedule = { start: Schedule.cron({ hour: '8' }), end: Schedule.cron({ hour: '9' }) };
      const scheduledPeaks = [{ name: 'morning', ...schedule, write: { minCapacity: 5, maxCapacity: 25 } }];
      const capacity = TableCapacity.provisioned({
        read: open,
        write: open,
        workload: small,
        scheduledPeaks,
      });
      return new SagaTable(stack, 'Sagas', { capacity });
    });
    expect(limits.find(({ name }) => name === 'provisionedWrites')?.figure).toBe(29);
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
