import { readFile } from 'node:fs/promises';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { dynamoDBClient, sqsClient } from '../../test/support/engines.ts';
import { mapNames } from '../benchmark/in-turns.ts';
import { costBounds, embeddedCostBounds } from '../limits/cost-bounds.ts';
import { compare } from './compare.ts';
import { type Contender, type ContenderName, contenderNames, contenders } from './contenders.ts';
import { type Case, cases, type Units, unitHeadings } from './figures.ts';
import { itemizedFormulas } from './itemized-formula.ts';
import { measure } from './run.ts';
import {
  type Comparison,
  complaints,
  costFigures,
  figuresTable,
  itemsTable,
  sequencesTable,
} from './summary.ts';

// Records of ten messages are about 1 kB: with some messages below it, which is cheaper.
const sample = { seed: 1, messages: 10, batches: 1 };
const { signal } = new AbortController();
const clients = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };
let comparison: Comparison;

beforeAll(async () => {
  comparison = await compare(clients, sample, signal);
});

/** The comparison, with other units of a contender in one case. */
function changed(contender: ContenderName, name: Case, units: Partial<Units>): Comparison {
  const measured = comparison[contender];
  const other = { ...measured.cases[name], units: { ...measured.cases[name].units, ...units } };
  return { ...comparison, [contender]: { ...measured, cases: { ...measured.cases, [name]: other } } };
}

/** On a busy machine the messages of a batch share fewer calls: their bound has room. */
function onQuietMachine(measured: Comparison): ReturnType<typeof costFigures> {
  const { batch10, ...others } = costFigures(measured);
  const quiet = mapNames(contenderNames, (name) => {
    return name === 'itemized' ? batch10[name] : { ...batch10[name], calls: 4 };
  });
  return { ...others, batch10: quiet };
}

describe('the cost of a message', () => {
  it('is within its bounds, and the itemized layout takes what its formula gives', () => {
    expect(complaints(comparison)).toEqual([]);
  });

  it.each(cases)('is the bound itself, so that nothing gets cheaper unseen: %s', (name) => {
    const { sagabox, embedded, embedded30 } = costFigures(comparison)[name];
    for (const [{ calls, ...units }, bounds] of [
      [sagabox, costBounds],
      [embedded, embeddedCostBounds[10]],
      [embedded30, embeddedCostBounds[30]],
    ] as const) {
      expect({ calls, ...units }).toEqual({ ...bounds[name], ...(name === 'batch10' && { calls }) });
    }
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
  ] as const)('is for %s in the itemized layout, by its formula and measured, %j', (name, taken) => {
    const units = { ...taken, refusedWcu: 0 };
    expect([itemizedFormulas[name], costFigures(comparison)[name].itemized]).toEqual([units, units]);
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
    const ofDiscard = [comparison.sagabox, comparison.itemized].map((measured) => measured.cases.discard);
    expect(ofDiscard.map(({ itemBytes }) => itemBytes)).toEqual([[expect.any(Number)], [expect.any(Number)]]);
    expect(ofDiscard.map(({ calls }) => calls.map(({ operation }) => operation))).toEqual([
      ['BatchGetItem', 'TransactWriteItems'],
      ['Query', 'GetItem', 'TransactWriteItems', 'UpdateItem'],
    ]);
  });

  it('is measured for bodies of one size in both layouts where they are incompressible', () => {
    const bytesIn = (name: ContenderName) => comparison[name].cases['N=10 incompressible'].itemBytes;
    const [, , ...operations] = bytesIn('itemized');
    expect(operations).toHaveLength(10);
    for (const bytes of operations) {
      expect(bytes).toBeGreaterThan(500);
      expect(bytes).toBeLessThanOrEqual(1_024);
    }
    // Base64 holds six bits in a byte: no less than that is left of ten bodies.
    const [, record = 0] = bytesIn('sagabox');
    expect(record).toBeGreaterThan(10 * 500 * (6 / 8) - 100);
  });

  it('is within its bounds for another seed', async () => {
    expect(
      complaints(await compare(clients, { seed: 4_294_967_295, messages: 2, batches: 1 }, signal)),
    ).toEqual([]);
  });
});

describe('docs/reference/capacity.md', () => {
  it('has the measured figures', async () => {
    const page = await readFile(new URL('../../docs/reference/capacity.md', import.meta.url), 'utf8');
    for (const [name, figures] of Object.entries(onQuietMachine(comparison))) {
      const { sagabox, embedded, embedded30 } = figures;
      const ours = [sagabox, embedded, embedded30];
      expect(ours.map(({ refusedWcu }) => refusedWcu)).toEqual([0, 0, 0]);
      const cells = ours.flatMap(({ calls, rcu, wcu }) => [calls, rcu, wcu]);
      expect(page).toContain(`| ${[name, ...cells].join(' | ')} |`);
    }
  });
});

describe('the printed cost', () => {
  it('has all contenders, the bounds, the calls with their units, and the items', () => {
    expect(figuresTable(comparison)).toMatch(/^batch10 +[45] +5 +60 /m);
    expect(sequencesTable(comparison)).toContain(
      'BatchGetItem (2 RCU), TransactWriteItems (4 WCU), SendMessageBatch, BatchWriteItem (1 WCU)',
    );
    expect(itemsTable(comparison)).toMatch(/^ +itemized +1000 B, \d+ B, 10 x \d+ B$/m);
  });

  it.each([
    ['N=0', 'wcu', 5],
    ['N=1', 'wcu', 6],
    ['N=10', 'rcu', 3],
    ['N=1', 'calls', 5],
    ['batch10', 'calls', 6],
  ] as const)('reports a bound that is not met: %s, %s', (name, unit, count) => {
    const worse = `${name}: sagabox takes ${count} ${unitHeadings[unit]}, more than ${count - 1}`;
    const offPlan = `${name}: sagabox takes ${count} ${unitHeadings[unit]}, its plan says ${count - 1}`;
    expect(complaints(changed('sagabox', name, { [unit]: count }))).toEqual(
      unit === 'calls' ? [worse] : [worse, offPlan],
    );
  });

  it.each([
    ['N=10', 'wcu'],
    ['discard', 'rcu'],
  ] as const)('reports units that differ from the plan: %s, %s', (name, unit) => {
    const { units } = comparison.sagabox.cases[name];
    expect(complaints(changed('sagabox', name, { [unit]: units[unit] - 1 }))).toEqual([
      `${name}: sagabox takes ${units[unit] - 1} ${unitHeadings[unit]}, its plan says ${units[unit]}`,
    ]);
  });

  it('reports an embedded outbox that takes more than its bound and its plan', () => {
    expect(complaints(changed('embedded', 'N=1', { wcu: 4 }))).toEqual([
      'N=1: embedded takes 4 WCU, more than 2',
      'N=1: embedded takes 4 WCU, its plan says 2',
    ]);
  });

  it.each([5, 7])('reports an itemized layout that is one call off its formula: %i', (calls) => {
    expect(complaints(changed('itemized', 'N=3', { calls }))).toEqual([
      `N=3: the itemized layout takes ${calls} calls, its formula gives 6`,
    ]);
  });
});

describe('a measurement that is worth nothing', () => {
  const doubtsOf = async (contender: Contender) =>
    (await measure(contender, clients, { ...sample, messages: 1 }, signal)).doubts;
  const { sagabox, itemized } = contenders;

  it('reports outgoing messages that were stored and never sent', async () => {
    const accepting = { send: async () => ({}) } as unknown as SQSClient;
    const start: Contender['start'] = (resources) => itemized.start({ ...resources, sqsClient: accepting });
    expect(await doubtsOf({ ...itemized, start })).toContain('0 of 38 outgoing messages arrived');
  });

  it('reports messages and sagas that differ from those that were to be measured', async () => {
    const halved: Contender = {
      ...sagabox,
      operationsIn: (item) => sagabox.operationsIn(item).map((operation) => operation.slice(0, 250)),
    };
    expect(await doubtsOf(halved)).toContain('there was an outgoing message of 250 B');
    const blind: Contender = { ...sagabox, operationsIn: (item) => sagabox.operationsIn(item).slice(1) };
    await expect(doubtsOf(blind)).rejects.toThrow('No outgoing message was stored');
  });

  it('ends when it is interrupted, and leaves the clients as they were', async () => {
    const interrupt = AbortSignal.abort(new Error('enough'));
    const middlewares = clients.dynamoDBClient.middlewareStack.identify();
    await expect(measure(sagabox, clients, sample, interrupt)).rejects.toThrow('enough');
    expect(clients.dynamoDBClient.middlewareStack.identify()).toEqual(middlewares);
  });
});
