import { UpdateItemCommand, type UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../support/raw-items.ts';
import type { Bench } from './behaviour.ts';
import { attributesOf, outcomeOf, put, read } from './observations.ts';

type Update = Omit<UpdateItemCommandInput, 'TableName' | 'Key'>;

/** What an update makes of the attributes of an item, besides its key, or the name of its refusal. */
export async function updated(bench: Bench, attributes: Item | undefined, update: Update): Promise<unknown> {
  const key = bench.newKey();
  if (attributes) await put(bench, { ...key, ...attributes });
  const command = new UpdateItemCommand({ TableName: bench.tableName, Key: key, ...update });
  const outcome = await outcomeOf(bench.client.send(command));
  if (outcome !== 'accepted') return outcome;
  return attributesOf(await read(bench, key));
}
