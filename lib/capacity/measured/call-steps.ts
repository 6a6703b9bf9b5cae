import { RECORD_SORT_KEY, SAGA_SORT_KEY } from '../../dynamodb/keys.ts';
import type { CapacityUnitsPlan, PlannedStep } from '../message-shape.ts';
import { sum, sumOfUnits } from '../steps.ts';
import { type CalledItem, calledItems } from './called-items.ts';
import { keyPrefixes } from './key-prefixes.ts';
import type { Item, MeteredCall, RecordedCall } from './recorded-call.ts';
import { reportedUnits } from './reported-units.ts';

/** `other`: what the handler itself calls, and whatever no plan tells of. */
export type MeasuredStepName = PlannedStep['step'] | 'other';

/** In the order of a message. */
export const stepOrder: readonly MeasuredStepName[] = [
  'dedup check',
  'load',
  'lock',
  'collect',
  'commit',
  'release',
  'dispatch',
  'mark',
  'clear',
  'other',
];

/** What one call did: for one step, or for several that share it, of which the engine reports one sum. */
export interface MeasuredStep extends CapacityUnitsPlan {
  readonly names: readonly MeasuredStepName[];
  readonly operation: string;
  /** 0 for the part of a call that is the handler's own. */
  readonly calls: number;
  readonly items: number;
  readonly refusedWcu: number;
}

/** A call as one step; what it does in tables that hold nothing of sagabox is a step of its own. */
export function stepsOf(call: MeteredCall): MeasuredStep[] {
  const { operation, refusedWcu } = call;
  const items = namedItems(call);
  const ours = items.filter(({ name }) => name !== 'other');
  if (ours.length === 0) {
    const isDispatch = operation === 'SendMessageBatch';
    const names = [isDispatch ? ('dispatch' as const) : ('other' as const)];
    const count = isDispatch ? (call.input?.Entries?.length ?? 0) : itemCount(items);
    return [{ names, operation, calls: 1, items: count, ...call.units, refusedWcu }];
  }
  const ourTables = new Set(ours.map(({ tableName }) => tableName));
  const foreign = items.filter(({ tableName }) => !ourTables.has(tableName));
  const foreignUnits = unitsOfTables(call, new Set(foreign.map(({ tableName }) => tableName)));
  const own: MeasuredStep = {
    names: stepOrder.filter((step) => ours.some(({ name }) => name === step)),
    operation,
    calls: 1,
    items: itemCount(ours),
    rcu: call.units.rcu - foreignUnits.rcu,
    wcu: call.units.wcu - foreignUnits.wcu,
    refusedWcu,
  };
  if (foreign.length === 0) return [own];
  const others = { names: ['other'] as const, operation, calls: 0, items: itemCount(foreign), refusedWcu: 0 };
  return [own, { ...others, ...foreignUnits }];
}

/** Says which operations have the handler's own items in a table of sagabox. */
export function mixedSteps(calls: readonly RecordedCall[]): string[] {
  const operations = new Set(calls.filter(mixesTables).map(({ operation }) => operation));
  return [...operations].map(
    (operation) =>
      `${operation} has items of the handler itself in a table of sagabox: its step has their units too`,
  );
}

function mixesTables(call: RecordedCall): boolean {
  const items = namedItems(call);
  const tablesOf = (isOther: boolean) =>
    items.filter(({ name }) => (name === 'other') === isOther).map(({ tableName }) => tableName);
  const foreign = tablesOf(true);
  return tablesOf(false).some((tableName) => foreign.includes(tableName));
}

/** Each item of a call with the step that it is a part of. */
function namedItems(call: RecordedCall): (CalledItem & { readonly name: MeasuredStepName })[] {
  return calledItems(call).map((one) => ({ ...one, name: stepName(call, one) }));
}

function itemCount(items: readonly CalledItem[]): number {
  return sum(items, ({ count }) => count);
}

function unitsOfTables(call: MeteredCall, tableNames: ReadonlySet<string>): CapacityUnitsPlan {
  const reported = reportedUnits(call) ?? [];
  return sumOfUnits(reported.filter(({ tableName = '' }) => tableNames.has(tableName)));
}

function stepName(
  { operation, input }: RecordedCall,
  { item, statement = '' }: CalledItem,
): MeasuredStepName {
  const role = roleOf(item);
  if (role === undefined) return 'other';
  switch (operation) {
    case 'BatchGetItem':
    case 'GetItem':
    case 'Query':
      if (role === 'contribution') return 'collect';
      return role === 'saga' ? 'load' : 'dedup check';
    case 'UpdateItem':
      if (role === 'record' && input.UpdateExpression?.includes('#sent')) return 'clear';
      if (role !== 'saga') return 'other';
      return (
        embeddedStep(Object.values(input.ExpressionAttributeNames ?? {})) ??
        (input.UpdateExpression?.startsWith('REMOVE') ? 'release' : 'lock')
      );
    case 'BatchExecuteStatement':
      return embeddedStep(statement.split(/["']/)) ?? 'other';
    case 'DeleteItem':
      // A commit asks for the item that refuses it; a lease that is given back does not.
      return input.ReturnValuesOnConditionCheckFailure === undefined ? 'release' : 'commit';
    case 'PutItem':
    case 'TransactWriteItems':
      return 'commit';
    case 'BatchWriteItem':
      return role === 'chunk' ? 'clear' : 'mark';
    default:
      return 'other';
  }
}

/** Of an update of a saga's item by the attributes that it names: a commit writes the inbox, a mark what is pending. */
function embeddedStep(names: readonly unknown[]): MeasuredStepName | undefined {
  if (names.includes('inbox')) return 'commit';
  if (!names.includes('pending')) return undefined;
  return names.includes('sent') ? 'clear' : 'mark';
}

/** By its keys: they tell it whatever the key attributes are called. */
function roleOf(item: Item): 'saga' | 'contribution' | 'record' | 'chunk' | undefined {
  const strings = Object.values(item).flatMap(({ S: string }) => string ?? []);
  const isOfSaga = strings.some((string) => string.startsWith(keyPrefixes.sagaPartition));
  if (isOfSaga && strings.includes(SAGA_SORT_KEY)) return 'saga';
  if (isOfSaga && strings.some((string) => string.startsWith(keyPrefixes.contributionSort)))
    return 'contribution';
  if (!strings.some((string) => string.startsWith(keyPrefixes.outboxPartition))) return undefined;
  if (strings.includes(RECORD_SORT_KEY)) return 'record';
  return strings.some((string) => string.startsWith(keyPrefixes.chunkSort)) ? 'chunk' : undefined;
}
