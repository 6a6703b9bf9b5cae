import { expect, it } from '@jest/globals';
import type { RelayResult } from '../../lib/relay/relay-result.ts';
import { RelayWatch } from './relay-watch.ts';

/** A record with two places on the list, each taken by one run: the lease of the first had expired. */
function markedFromBoth() {
  const watch = new RelayWatch();
  const places = [{ messageId: 'm1' }, { messageId: 'm1' }] as const;
  for (const place of places) {
    watch.claimed(place);
    watch.marked(place.messageId);
  }
  const problemOf = (dispatched: number) =>
    watch.problemOf({ dispatched, failed: [] as const } as unknown as RelayResult);
  return { watch, places, problemOf };
}

it('a record that is dispatched from two of its places counts twice', () => {
  const { problemOf } = markedFromBoth();
  expect([problemOf(2), problemOf(1), problemOf(3)]).toEqual([
    undefined,
    expect.stringMatching(/tells of 1 .* marked 2/),
    expect.stringMatching(/tells of 3 .* marked 2/),
  ]);
});

it('one that stays on the list may be told as failed', () => {
  const { watch, places, problemOf } = markedFromBoth();
  watch.leftListed(places[1]);
  expect([problemOf(2), problemOf(1), problemOf(0)]).toEqual([undefined, undefined, expect.any(String)]);
});
