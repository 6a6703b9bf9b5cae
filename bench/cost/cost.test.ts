import { readFile } from 'node:fs/promises';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { dynamoDBClient, sqsClient } from '../../test/support/engines.ts';
import { type Comparison, compare, costFigures } from './compare.ts';
import type { ContenderType } from './contender.ts';
import type { Case, CostFigures, Figures } from './figures.ts';
import { itemized } from './itemized.ts';
import { itemizedFormula } from './itemized-formula.ts';
import { measure } from './measure.ts';
import { sagabox } from './sagabox.ts';
import { complaints, figuresTable, itemsTable, sequencesTable } from './summary.ts';

// Records of ten messages are about 1 kB: of some messages below it, which is cheaper.
const sample = { seed: 1, messages: 10, batches: 1 };
const { signal } = new AbortController();
const clients = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };
let comparison: Comparison;

beforeAll(async () => {
  comparison = await compare(clients, 'the engine', sample, signal);
}, 60_000);

/** The comparison, with other figures for sagabox or the itemized layout in one case. */
function changed(contender: 'sagabox' | 'itemized', name: Case, figures: Partial<Figures>): Comparison {
  const { cases, doubts } = comparison[contender];
  const other = { ...cases[name], figures: { ...cases[name].figures, ...figures } };
  return { ...comparison, [contender]: { cases: { ...cases, [name]: other }, doubts } };
}

/** On a busy machine the messages of a batch share calls less well; how well is bounded. */
function inQuiet(measured: Comparison): CostFigures {
  const { batch10, ...others } = costFigures(measured);
  return { ...others, batch10: { ...batch10, sagabox: { ...batch10.sagabox, calls: 13 } } };
}

describe('the cost of a message', () => {
  it('is within its bounds, and the itemized layout takes what its formula gives', () => {
    expect(complaints(comparison)).toEqual([]);
  });

  it.each([
    ['N=0', 4],
    ['N=1', 5],
    ['N=3', 5],
    ['N=10', 8],
    ['N=3 incompressible', 8],
    ['N=10 incompressible', 17],
    ['discard', 4],
  ] as const)('is for %s 2 RCU, %i WCU, and at most 4 calls', (name, wcu) => {
    const figures = costFigures(comparison)[name].sagabox;
    expect(figures).toMatchObject({ rcu: 2, wcu });
    expect(figures.calls).toBe(name === 'N=0' || name === 'discard' ? 2 : 4);
  });

  it('is at most 17 calls for an invocation of ten messages, with the units of ten messages', () => {
    const { sagabox: own } = costFigures(comparison).batch10;
    expect(own.calls).toBeLessThanOrEqual(17);
    expect(own).toMatchObject({ rcu: 20, wcu: 50 });
  });

  it.each([
    ['N=0', { calls: 4, rcu: 2, wcu: 5 }],
    ['N=1', { calls: 6, rcu: 2, wcu: 8 }],
    ['N=3', { calls: 6, rcu: 2, wcu: 14 }],
    ['N=10', { calls: 6, rcu: 2, wcu: 35 }],
    ['N=3 incompressible', { calls: 6, rcu: 2, wcu: 14 }],
    ['N=10 incompressible', { calls: 6, rcu: 2, wcu: 35 }],
    ['batch10', { calls: 60, rcu: 20, wcu: 80 }],
    ['discard', { calls: 4, rcu: 2, wcu: 3 }],
  ] as const)('is for %s in the itemized layout %j', (name, figures) => {
    expect(costFigures(comparison)[name].itemized).toEqual(figures);
  });

  it('is measured for a saga item of 1,000 bytes, and with one item for each message in the itemized layout only', () => {
    for (const name of ['N=0', 'N=1', 'N=3', 'N=10'] as const) {
      expect(comparison.sagabox.cases[name].itemBytes).toEqual([1_000, expect.any(Number)]);
    }
    const [saga, metadata = 0, ...operations] = comparison.itemized.cases['N=10'].itemBytes;
    expect(saga).toBe(1_000);
    expect(metadata).toBeGreaterThanOrEqual(200);
    expect(metadata).toBeLessThanOrEqual(400);
    expect(operations).toHaveLength(10);
    for (const bytes of operations) expect(bytes).toBeLessThanOrEqual(1_024);
  });

  it('is for a discard that of an item of the message alone, in both layouts', () => {
    const ofDiscard = [comparison.sagabox, comparison.itemized].map(({ cases }) => cases.discard);
    expect(ofDiscard.map(({ itemBytes }) => itemBytes)).toEqual([[expect.any(Number)], [expect.any(Number)]]);
    expect(ofDiscard.map(({ sequence }) => sequence.map(({ operation }) => operation))).toEqual([
      ['BatchGetItem', 'TransactWriteItems'],
      ['Query', 'GetItem', 'TransactWriteItems', 'UpdateItem'],
    ]);
  });

  it('is measured for bodies of one size in both layouts where they are incompressible', () => {
    const bytesIn = (type: ContenderType, name: Case) => comparison[type.name].cases[name].itemBytes;
    const [, , ...operations] = bytesIn(itemized, 'N=10 incompressible');
    expect(operations).toHaveLength(10);
    for (const bytes of operations) {
      expect(bytes).toBeGreaterThan(500);
      expect(bytes).toBeLessThanOrEqual(1_024);
    }
    // Base64 holds six bits in a byte: no less than that is left of ten bodies.
    const [, record = 0] = bytesIn(sagabox, 'N=10 incompressible');
    expect(record).toBeGreaterThan(10 * 500 * (6 / 8) - 100);
  });

  it('is the same for the same seed, and within its bounds for another one', async () => {
    const again = await compare(clients, 'the engine', sample, signal);
    expect(inQuiet(again)).toEqual(inQuiet(comparison));
    expect(
      complaints(await compare(clients, 'the engine', { ...sample, seed: 4_294_967_295 }, signal)),
    ).toEqual([]);
  }, 60_000);
});

describe('docs/reference/cost.md', () => {
  it('has the figures that are measured', async () => {
    const page = await readFile(new URL('../../docs/reference/cost.md', import.meta.url), 'utf8');
    for (const [name, { sagabox: own, itemized: peer }] of Object.entries(inQuiet(comparison))) {
      const cells = [name, ...[own, peer].flatMap(({ calls, rcu, wcu }) => [calls, rcu, wcu])];
      expect(page).toContain(`| ${cells.join(' | ')} |`);
    }
  });
});

describe('what is said of the cost', () => {
  it('has both contenders, the bounds, the calls with their units, and the items', () => {
    expect(figuresTable(comparison)).toMatch(/^batch10 +1\d +17 +60 /m);
    expect(sequencesTable(comparison)).toContain(
      'BatchGetItem (2 RCU), TransactWriteItems (4 WCU), SendMessageBatch, BatchWriteItem (1 WCU)',
    );
    expect(itemsTable(comparison)).toMatch(/^ +itemized +1000 B, \d+ B, 10 x \d+ B$/m);
  });

  it.each([
    ['N=0', { wcu: 5 }, 'N=0: sagabox takes 5 WCU, more than 4'],
    ['N=1', { wcu: 6 }, 'N=1: sagabox takes 6 WCU, more than 5'],
    ['N=3', { wcu: 6 }, 'N=3: sagabox takes 6 WCU, more than 5'],
    ['N=10', { wcu: 9 }, 'N=10: sagabox takes 9 WCU, more than 8'],
    ['N=10 incompressible', { wcu: 18 }, 'N=10 incompressible: sagabox takes 18 WCU, more than 17'],
    ['N=1', { calls: 5 }, 'N=1: sagabox takes 5 calls, more than 4'],
    ['N=10', { rcu: 3 }, 'N=10: sagabox takes 3 RCU, more than 2'],
    ['batch10', { calls: 18 }, 'batch10: sagabox takes 18 calls, more than 17'],
    ['discard', { wcu: 5 }, 'discard: sagabox takes 5 WCU, more than 4'],
  ] as const)('tells of a bound that is not met: %s, %j', (name, figures, complaint) => {
    expect(complaints(changed('sagabox', name, figures))).toEqual([complaint]);
  });

  it.each([
    ['N=1', { wcu: 5 }],
    ['N=3', { wcu: 5 }],
    ['N=10', { wcu: 8 }],
    ['N=10 incompressible', { wcu: 17 }],
    ['batch10', { calls: 17 }],
  ] as const)('takes a bound that is just met: %s, %j', (name, figures) => {
    expect(complaints(changed('sagabox', name, figures))).toEqual([]);
  });

  it.each([-1, 1])('tells of an itemized layout that is %i call off its formula', (off) => {
    const calls = itemizedFormula(3).calls + off;
    expect(complaints(changed('itemized', 'N=3', { calls }))).toEqual([
      `N=3: the itemized layout takes ${calls} calls, its formula gives 6`,
    ]);
  });
});

describe('a measurement that is worth nothing', () => {
  const doubtsOf = async (type: ContenderType) =>
    (await measure(type, clients, { ...sample, messages: 1 }, signal)).doubts;

  it('tells of outgoing messages that were stored and never sent', async () => {
    const deaf: ContenderType = {
      ...itemized,
      // It takes everything, and sends nothing.
      start: (resources) =>
        itemized.start({
          ...resources,
          sqsClient: { send: async () => ({}) } as unknown as SQSClient,
        }),
    };
    expect(await doubtsOf(deaf)).toContain('0 of 38 outgoing messages arrived');
  }, 60_000);

  it('tells of messages and sagas that are not those that were to be measured', async () => {
    const halved: ContenderType = {
      ...sagabox,
      operationsIn: (item) => sagabox.operationsIn(item).map((operation) => operation.slice(0, 250)),
    };
    expect(await doubtsOf(halved)).toContain('there was an outgoing message of 250 B');
    const blind: ContenderType = { ...sagabox, operationsIn: (item) => sagabox.operationsIn(item).slice(1) };
    await expect(doubtsOf(blind)).rejects.toThrow('No outgoing message was stored');
  }, 60_000);

  it('ends when it is told to, and leaves the clients as they were', async () => {
    const interrupt = AbortSignal.abort(new Error('enough'));
    const middlewares = clients.dynamoDBClient.middlewareStack.identify();
    await expect(measure(sagabox, clients, sample, interrupt)).rejects.toThrow('enough');
    expect(clients.dynamoDBClient.middlewareStack.identify()).toEqual(middlewares);
  });
});
