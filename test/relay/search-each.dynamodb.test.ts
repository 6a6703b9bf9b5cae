import { expect, it } from '@jest/globals';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import type { FoundItem } from '../../lib/relay/found-item.dynamodb.ts';
import { searchEach } from '../../lib/relay/search-each.dynamodb.ts';
import type { UndispatchedSearch } from '../../lib/relay/undispatched-records.dynamodb.ts';

const foundBy = (messageId: string): FoundItem => ({
  endpoint: 'orders',
  messageId,
  storedAt: new Date(0),
  partition: `OUTBOX#orders#${messageId}`,
  entryKey: undefined,
});

const searchFor = (messageId: string, error?: Error): UndispatchedSearch =>
  async function* () {
    yield foundBy(messageId);
    if (error) throw error;
  };

async function idsOf(search: UndispatchedSearch, into: unknown[] = []) {
  for await (const { messageId } of search(new Date(), new CapacityMeter())) into.push(messageId);
  return into;
}

it.each([
  [0, ['a', 'b', 'c']],
  [0.5, ['b', 'c', 'a']],
  [0.99, ['c', 'a', 'b']],
])('begins with one by chance (%d), and goes round all of them', async (chance, order) => {
  const searches = ['a', 'b', 'c'].map((id) => searchFor(id));
  expect(await idsOf(searchEach(searches, () => chance))).toEqual(order);
});

it('goes on with the others when one fails, and tells that at the end', async () => {
  const found: unknown[] = [];
  const search = searchEach([searchFor('a', new Error('refused')), searchFor('b')]);
  await expect(idsOf(search, found)).rejects.toThrow('refused');
  expect(found).toEqual(['a', 'b']);
});
