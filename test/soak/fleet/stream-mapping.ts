import { setTimeout as delay } from 'node:timers/promises';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Companion } from '../../support/load-kill-verify/beside.ts';
import type { Random } from '../../support/random.ts';
import { TableStream } from '../../support/table-stream.ts';
import type { Fleet } from './fleet.ts';

const idleMs = 100;
/** Small, so that much of what is between a commit and its mark is at the edge of a batch. */
const maxBatchSize = 100;

/**
 * Hands the changes of a table to the fleet, one batch at a time: as an event source mapping, which outlives the
 * workers. A batch that fails, or whose worker is killed, comes again.
 */
export function streamMapping(
  client: DynamoDBClient,
  tableName: string,
  fleet: Pick<Fleet, 'watch'>,
  random: Random,
): Companion {
  return async (signal) => {
    const wait = () => delay(idleMs, undefined, { signal }).catch(() => undefined);
    const stream = await TableStream.open(client, tableName);
    while (!signal.aborted) {
      const batch = await stream.next(1 + random.below(maxBatchSize));
      if (batch.length === 0) await wait();
      else while (!signal.aborted && !(await fleet.watch(batch))) await wait();
    }
  };
}
