import type { Cleanup } from '../app/cleanup.ts';
import type { LocalResource } from '../app/resource-model.ts';
import type { LocalEngines } from '../engines/local-engines.ts';
import { provisionBuckets } from './provision-buckets.ts';
import { provisionEvents } from './provision-events.ts';
import { provisionQueues } from './provision-queues.ts';
import { deleteTables, provisionTables } from './provision-tables.ts';
import { provisionTopics } from './provision-topics.ts';

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
