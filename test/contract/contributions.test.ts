import { beforeEach, describe, expect, it } from '@jest/globals';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { itemSize } from '../../lib/dynamodb/item-size.ts';
import { tableDefaults } from '../../lib/dynamodb/table-defaults.ts';
import {
  type Contribution,
  contributionValue,
  type FoundContribution,
  readContribution,
} from '../../lib/saga/contribution.ts';
import { DynamoDBContributions } from '../../lib/saga/contributions.dynamodb.ts';
import type { Contributions } from '../../lib/saga/contributions.ts';
import { contributionItem } from '../../lib/saga/item/contribution-items.ts';
import { defaultMapper } from '../../lib/saga/item/mapper.dynamodb.ts';
import { MemoryCommitter } from '../../lib/testing/memory/committer.ts';
import { MemoryContributions } from '../../lib/testing/memory/contributions.ts';
import { MemorySagaStore } from '../../lib/testing/memory/saga-store.ts';
import { MemoryStorage } from '../../lib/testing/memory/storage.ts';
import { MappedCommitter, mappedSagas } from '../../lib/testing/test-stores.ts';
import { at, commitOf, orderSaga, outboxWrite, storedRecord } from '../support/commits.ts';
import { withCurrentRevisions } from '../support/current-revision.ts';
import { dynamoDBPorts, type StorePorts, storedSagas } from '../support/dynamodb-ports.ts';
import { createTable, dynamoDBClient } from '../support/engines.ts';
import { codeOf } from '../support/error-of.ts';
import { sagaCreation, sagaUpdate } from '../support/saga-writes.ts';

interface Subject extends Pick<StorePorts, 'sagas' | 'committer'> {
  readonly contributions: Contributions;
}

async function onDynamoDB(): Promise<Subject> {
  const [client, sagaTable] = [dynamoDBClient(), await createTable()];
  const table = { ...tableDefaults, tableName: sagaTable };
  return {
    ...dynamoDBPorts({ client, sagaTable }),
    contributions: new DynamoDBContributions({ client, table }),
  };
}

function inMemory(
  sagas: (storage: MemoryStorage) => MemorySagaStore,
  committer: (storage: MemoryStorage) => MemoryCommitter,
): () => Promise<Subject> {
  return async () => {
    const storage = new MemoryStorage();
    const loaded = sagas(storage);
    const contributions = new MemoryContributions(storage);
    return {
      sagas: storedSagas(loaded),
      committer: withCurrentRevisions(committer(storage), loaded),
      contributions,
    };
  };
}

const endpoint = 'orders';

/** What every implementation of Contributions and Committer does with what is appended beside a saga. */
describe.each<[string, () => Promise<Subject>]>([
  [
    'in memory',
    inMemory(
      (storage) => new MemorySagaStore(storage),
      (storage) => new MemoryCommitter({ storage, endpoint }),
    ),
  ],
  [
    'in the test kit',
    inMemory(
      (storage) => mappedSagas(storage, defaultMapper),
      (storage) => new MappedCommitter(storage, defaultMapper, endpoint),
    ),
  ],
  ['on DynamoDB', onDynamoDB],
])('contributions %s', (where, open) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await open();
  });

  const contribution = (messageId: string, value: unknown, of: Partial<Contribution> = {}): Contribution => {
    const identity = { saga: orderSaga, createdAt: at, key: 'votes', endpoint, messageId, ordinal: 0, ...of };
    return { ...identity, value: contributionValue(identity, value), expiresAt: new Date('2036-01-01') };
  };
  const append = async (...appended: Contribution[]) =>
    await subject.committer.commit(commitOf({ appended }));
  const find = async (of: Partial<Contribution> = {}): Promise<FoundContribution[]> => {
    const { saga, createdAt, key } = contribution('', null, of);
    const found: FoundContribution[] = [];
    const meter = new CapacityMeter();
    for await (const each of subject.contributions.find(saga, createdAt, key, 100, meter)) found.push(each);
    return found;
  };
  const valuesOf = async (of?: Partial<Contribution>) => (await find(of)).map(readContribution);
  const folding = (found: readonly FoundContribution[], version: number, step: string) =>
    commitOf({
      ...sagaUpdate({ step }, version),
      collected: found.map(({ item, bytes }) => ({ item, bytes, saga: orderSaga, key: 'votes' })),
    });
  const step = async () => (await subject.sagas.load(orderSaga))?.readState();

  it('are found with their values, by the order of their messages', async () => {
    const value = { by: 'b', list: [1, null], bytes: new Uint8Array([1]), set: new Set(['x']) };
    await append(contribution('b', value), contribution('b', 2, { ordinal: 1 }));
    await append(contribution('a', 'first'));
    expect(await valuesOf()).toEqual(['first', value, 2]);
    const [size] = (await find()).map(({ bytes }) => bytes);
    expect(size).toBe(itemSize(contributionItem(tableDefaults, contribution('a', 'first'))));
  });

  it.each<[string, Partial<Contribution>]>([
    ['of another key', { key: 'votesX' }],
    ['of another saga', { saga: { ...orderSaga, id: '43' } }],
    ['of another start of the saga', { createdAt: new Date(at.getTime() + 1) }],
  ])('are not those %s', async (_which, of) => {
    await append(contribution('a', 1), contribution('a', 2, of));
    expect([await valuesOf(), await valuesOf(of)]).toEqual([[1], [2]]);
  });

  it('are kept apart where two endpoints have one event', async () => {
    await append(contribution('a', 'of one'));
    await append(contribution('a', 'of the other', { endpoint: 'other' }));
    expect((await valuesOf()).toSorted()).toEqual(['of one', 'of the other']);
  });

  it.each([
    ['differ only in case', ['m', 'M']],
    ['contain separators', ['m#00', 'm']],
    ['are bounded by their hashes', ['m'.repeat(600), `${'m'.repeat(599)}n`]],
  ])('are kept apart where the ids of their messages %s', async (_how, ids) => {
    await append(...ids.map((id) => contribution(id, id)));
    expect((await valuesOf()).toSorted()).toEqual(ids.toSorted());
  });

  it('are there once when their message is handled again', async () => {
    for (const value of [1, 2]) await append(contribution('a', value));
    expect(await valuesOf()).toEqual([2]);
  });

  it('are found over all pages of a read', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await append(contribution(id, id.repeat(350_000)));
    expect((await valuesOf()).map((value) => String(value).at(0))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are committed with the record of their message, or not at all', async () => {
    const outbox = outboxWrite('a', []);
    await subject.committer.commit(commitOf({ outbox, appended: [contribution('a', 1)] }));
    await subject.committer.commit(storedRecord('seen'));
    const again = { outbox: outboxWrite('seen', []), appended: [contribution('seen', 2)] };
    expect(await codeOf(subject.committer.commit(commitOf(again)))).toBe('DuplicateMessage');
    expect(await valuesOf()).toEqual([1]);
  });

  it('are deleted by the commit that collects them, and by no other', async () => {
    await subject.committer.commit(sagaCreation({ step: 'created' }));
    await append(contribution('a', 1), contribution('b', 2), contribution('c', 3));
    const [first, second] = await find();
    await subject.committer.commit(folding([first, second] as FoundContribution[], 1, 'collected'));
    expect([await step(), await valuesOf()]).toEqual([{ step: 'collected' }, [3]]);
  });

  it('stay where the commit that collects them is refused for its saga', async () => {
    for (const commit of [sagaCreation({ step: 'created' }), sagaUpdate({ step: 'changed' }, 1)])
      await subject.committer.commit(commit);
    await append(contribution('a', 1));
    const refused = subject.committer.commit(folding(await find(), 1, 'collected'));
    expect(await codeOf(refused)).toBe('SagaConcurrency');
    expect([await step(), await valuesOf()]).toEqual([{ step: 'changed' }, [1]]);
  });

  it('are collected once, also by those that read the saga as it is', async () => {
    await subject.committer.commit(sagaCreation({ step: 'created' }));
    await append(contribution('a', 1), contribution('b', 2));
    const found = await find();
    await subject.committer.commit(folding(found.slice(0, 1), 1, 'collected'));
    const refused = subject.committer.commit(folding(found, 2, 'collected again'));
    expect(await codeOf(refused)).toBe('SagaConcurrency');
    expect([await step(), await valuesOf()]).toEqual([{ step: 'collected' }, [2]]);
  });

  // What the plain ports in memory keep has no size.
  const limits = where === 'in memory' ? [] : [['a'.repeat(400 * 1024)]];
  it.each([['small'], ...limits])('are refused over the 400 KB of an item: %#', async (value) => {
    const code = value === 'small' ? undefined : 'ItemTooLarge';
    const appending = append(contribution('a', value)).then(() => undefined);
    expect(code === undefined ? await appending : await codeOf(appending)).toBe(code);
    expect(await valuesOf()).toEqual(code === undefined ? ['small'] : []);
  });
});
