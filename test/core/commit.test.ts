import { describe, expect, it } from '@jest/globals';
import { assertWriteCount, type Commit, isEmpty, outboxWrite } from '../../lib/core/commit.ts';
import { commitOf, sagaCreation, storedRecord, userPuts } from '../support/commits.ts';
import { operationsOfSize, outgoingMessage } from '../support/outgoing-messages.ts';
import { refusalOf } from './unit-of-work-of.ts';

const twoChunks = outboxWrite('in-1', operationsOfSize(350 * 1024 + 1));

describe('the outbox record of a commit', () => {
  it('is as good as dispatched when there is nothing to send', () => {
    expect(outboxWrite('in-1', [])).toEqual({
      messageId: 'in-1',
      dispatched: true,
      operations: [],
      packed: undefined,
      chunks: [],
      chunkCount: 0,
    });
  });

  it('holds its operations, packed', () => {
    const operations = [outgoingMessage()];
    const record = outboxWrite('in-1', operations);
    expect(record).toMatchObject({ dispatched: false, operations, chunks: [], chunkCount: 0 });
    expect(record.packed?.byteLength).toBeGreaterThan(0);
  });

  it('leaves large operations to its chunks', () => {
    expect(twoChunks).toMatchObject({ dispatched: false, packed: undefined, chunkCount: 2 });
    expect(twoChunks.chunks).toHaveLength(2);
  });
});

describe('a commit', () => {
  it.each<[string, Commit, boolean]>([
    ['nothing', commitOf({}), true],
    ['a saga', sagaCreation({}), false],
    ['an outbox record', storedRecord('in-1'), false],
    ['a write of the handler', commitOf({ transactionItems: userPuts('t', 1) }), false],
  ])('of %s is empty: %#', (_case, commit, empty) => {
    expect(isEmpty(commit)).toBe(empty);
  });

  const { saga } = sagaCreation({});
  const { outbox } = storedRecord('in-1');

  it.each<[string, Partial<Commit>, number]>([
    ['nothing else', {}, 100],
    ['a saga', { saga }, 99],
    ['an outbox record', { outbox }, 99],
    ['a saga and an outbox record', { saga, outbox }, 98],
    ['a saga, an outbox record and two chunks', { saga, outbox: twoChunks }, 96],
  ])('with %s takes so many writes of the handler, and not one more', (_case, own, maximum) => {
    const withUserWrites = (count: number) => commitOf({ ...own, transactionItems: userPuts('t', count) });
    expect(() => assertWriteCount(withUserWrites(maximum))).not.toThrow();

    const error = refusalOf(() => assertWriteCount(withUserWrites(maximum + 1)));
    expect(error.code).toBe('TransactionLimit');
    expect(error.facts).toMatchObject({ actual: 101, maximum: 100 });
    expect(error.message).toContain(`${maximum + 1} added by the handler, ${100 - maximum} by sagabox`);
  });
});
