import type { Cleanup } from '../app/cleanup.ts';
import type { LocalResource } from '../app/resources/model.ts';
import type { LocalEngines } from '../engines/start.ts';
import { provisionBuckets } from './buckets.ts';
import { provisionEvents } from './events.ts';
import { provisionQueues } from './queues.ts';
import { deleteTables, provisionTables } from './tables.ts';
import { provisionTopics } from './topics.ts';

/** Creates what the templates declare, and deletes again what outlives the app. */
export async function provisionResources(
  engines: LocalEngines,
  resources: readonly LocalResource[],
  cleanup: Cleanup,
): Promise<void> {
  const tables: string[] = [];
  if (engines.dynamoDB.isShared) cleanup.add(() => deleteTables(engines.dynamoDBClient, tables));
  await provisionTables(engines.dynamoDBClient, resources, tables);
  await provisionQueues(engines.sqsClient, resources);
  await provisionTopics(engines.endpoints.sns, resources);
  await provisionBuckets(engines.endpoints.s3, resources);
  await provisionEvents(engines.endpoints.eventbridge, resources);
}
