import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withFolder } from '../../support/with-folder.ts';
import type { WorkerBundle } from './bundle-worker.ts';
import type { WorkerSetup } from './worker-protocol.ts';

/** Nobody listens there. */
const nowhere = 'http://127.0.0.1:1';

/** Of workers that call nothing. */
export const stubSetup: WorkerSetup = {
  resources: {
    dynamoDBEndpoint: nowhere,
    dynamoDBEngine: 'none',
    sqsEndpoint: nowhere,
    table: 'none',
    markTable: 'none',
    queueUrl: `${nowhere}/000000000000/none`,
    queueArn: 'none',
    ledgerQueueUrl: `${nowhere}/000000000000/none`,
    errorQueueUrl: `${nowhere}/000000000000/none`,
    deadLetterQueueUrl: `${nowhere}/000000000000/none`,
  },
  functionEndpoints: { dynamoDBEndpoint: nowhere, sqsEndpoint: nowhere },
  journalFile: '/dev/null',
  seed: 1,
  rates: { request: 0, call: 0, death: 0, handler: 0 },
  outbox: true,
  isAhead: false,
  leak: false,
};

/** @param source of a worker's module, gone when the work is over */
export async function withStubWorker<T>(
  source: string,
  work: (bundle: WorkerBundle) => Promise<T>,
): Promise<T> {
  return await withFolder('sagabox-soak-stub-', async (folder) => {
    const file = join(folder, 'worker.mjs');
    await writeFile(file, source);
    return await work({ folder, file });
  });
}
