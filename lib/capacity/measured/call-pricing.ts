import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { MeteredCall } from './call-steps.ts';
import { type ItemUnits, itemUnits, sumOf } from './computed-units.ts';
import { noUnits, type RecordedCall, type Units } from './recorded-call.ts';
import type { SeenItems } from './seen-items.ts';

/**
 * What DynamoDB Local reports of transactions is wrong, and it takes nothing for an item that a batch of reads or a query does
 * not find, which DynamoDB charges as the smallest one.
 */
export const wronglyReportedLocally: readonly string[] = ['TransactWriteItems', 'BatchGetItem', 'Query'];

const readOperations = ['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems'];
const writeOperations = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems'];
const refusals = ['TransactionCanceledException', 'ConditionalCheckFailedException'];

/** What a call took, and why that may not be trusted: nothing when it may. */
export function priceCall(
  call: RecordedCall,
  items: SeenItems,
): { metered: MeteredCall; doubt: string | undefined } {
  const { operation, error, isOfAws = false } = call;
  if (error !== undefined) return unpriced(call, refusalOf(operation, error));
  if (![...readOperations, ...writeOperations].includes(operation)) return unpriced(call);
  const parts = itemUnits(call, items);
  const computed = parts && sumOf(parts);
  const reported = reportedUnits(call);
  const told = { ...call, parts: parts ?? [] };
  if (!isOfAws && wronglyReportedLocally.includes(operation)) {
    const doubt = parts?.some(({ isGuess }) => isGuess)
      ? `${operation} updates or checks items that were not seen: their units are the least that it takes`
      : undefined;
    return { metered: { ...told, units: computed ?? noUnits, source: 'computed' }, doubt };
  }
  if (reported === undefined) {
    const doubt = `${operation} did not ask for its consumed capacity`;
    return { metered: { ...told, units: computed ?? noUnits, source: 'computed' }, doubt };
  }
  if (!isOfAws && parts && computed && isChargedForMissing(parts, computed, reported)) {
    return { metered: { ...told, units: computed, source: 'computed' }, doubt: undefined };
  }
  const isOther = computed && (computed.rcu !== reported.rcu || computed.wcu !== reported.wcu);
  const doubt = isOther
    ? `${operation} reports ${JSON.stringify(reported)}, the rules give ${JSON.stringify(computed)}`
    : undefined;
  return { metered: { ...told, units: reported, source: 'reported' }, doubt };
}

/** DynamoDB Local charges an index for the delete of an item that is not there, of which the index has nothing. */
function isChargedForMissing(parts: readonly ItemUnits[], computed: Units, reported: Units): boolean {
  const missing = parts.filter(({ isMissing }) => isMissing).length;
  return missing > 0 && reported.wcu === computed.wcu + missing;
}

function unpriced(call: RecordedCall, doubt?: string): { metered: MeteredCall; doubt: string | undefined } {
  return { metered: { ...call, units: noUnits, source: 'none', parts: [] }, doubt };
}

/** A request that did not get through takes nothing; one that was refused does. */
function refusalOf(operation: string, error: unknown): string | undefined {
  const { name } = error as Error;
  return refusals.includes(name) ? `${operation} was refused (${name}), and not priced` : undefined;
}

function reportedUnits({ operation, output }: RecordedCall): Units | undefined {
  const consumed: ConsumedCapacity | readonly ConsumedCapacity[] | undefined = output?.ConsumedCapacity;
  if (consumed === undefined) return undefined;
  const units = [consumed].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  return readOperations.includes(operation) ? { rcu: units, wcu: 0 } : { rcu: 0, wcu: units };
}
