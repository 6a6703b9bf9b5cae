import type { PlannedStep } from '../message-shape.ts';
import { type ItemUnits, sumOf } from './computed-units.ts';
import type { Item, RecordedCall, UnitSource, Units } from './recorded-call.ts';

/** A call that was made, and what it took. */
export interface MeteredCall extends RecordedCall {
  readonly units: Units;
  readonly source: UnitSource;
  /** The same by item, where it is known. */
  readonly parts: readonly ItemUnits[];
}

/** `other`: what the handler itself calls, and whatever no plan tells of. */
export type MeasuredStepName = PlannedStep['step'] | 'other';

/** What one call did for one step. */
export interface MeasuredStep extends Units {
  readonly step: MeasuredStepName;
  readonly operation: string;
  /** 0 where another step counts the call that both share. */
  readonly calls: number;
  readonly items: number;
  readonly source: UnitSource;
}

/** The steps that a call is a part of; the first one counts it. */
export function stepsOf(call: MeteredCall): MeasuredStep[] {
  const { operation, source, units, error } = call;
  const parts = call.parts.length > 0 || error !== undefined ? call.parts : partsByKey(call);
  if (parts.length === 0) {
    const step = stepWithoutItems[operation] ?? 'other';
    return [{ step, operation, calls: 1, items: sentMessages(call), ...units, source }];
  }
  const byStep = [...Map.groupBy(parts, (part) => stepOf(call, part))];
  const ordered = byStep.toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  const computed = sumOf(parts);
  return ordered.map(([step, ofStep], index) => {
    const own = sumOf(ofStep);
    return {
      step,
      operation,
      calls: index === 0 ? 1 : 0,
      items: ofStep.reduce((sum, { items }) => sum + items, 0),
      // An engine reports one sum, which the steps share as the rules say.
      rcu: share(units.rcu, own.rcu, computed.rcu),
      wcu: share(units.wcu, own.wcu, computed.wcu),
      source,
    };
  });
}

const order: readonly MeasuredStepName[] = [
  'dedup check',
  'load',
  'lock',
  'commit',
  'release',
  'dispatch',
  'mark',
  'clear',
  'other',
];

/** Of a call about one item that was not told. */
function partsByKey({ input, units }: MeteredCall): ItemUnits[] {
  return input?.Key === undefined ? [] : [{ item: input.Key, items: 1, ...units }];
}

/** Of calls to the queue, and of those that failed. */
const stepWithoutItems: Readonly<Record<string, MeasuredStepName>> = {
  BatchGetItem: 'dedup check',
  UpdateItem: 'lock',
  TransactWriteItems: 'commit',
  SendMessageBatch: 'dispatch',
  BatchWriteItem: 'mark',
};

function stepOf({ operation, input }: RecordedCall, { item }: ItemUnits): MeasuredStepName {
  const role = roleOf(item);
  if (role === undefined) return 'other';
  switch (operation) {
    case 'BatchGetItem':
    case 'GetItem':
    case 'Query':
      return role === 'saga' ? 'load' : 'dedup check';
    case 'UpdateItem':
      if (role !== 'saga') return 'other';
      return input.UpdateExpression?.startsWith('REMOVE') ? 'release' : 'lock';
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

/** By its keys: they tell it whatever the key attributes are called. */
function roleOf(item: Item): 'saga' | 'record' | 'chunk' | undefined {
  const texts = Object.values(item).flatMap(({ S: text }) => text ?? []);
  if (texts.includes('SAGA') && texts.some((text) => text.startsWith('SAGA#'))) return 'saga';
  if (!texts.some((text) => text.startsWith('OUTBOX#'))) return undefined;
  if (texts.includes('RECORD')) return 'record';
  return texts.some((text) => text.startsWith('CHUNK#')) ? 'chunk' : undefined;
}

function share(units: number, own: number, all: number): number {
  if (own === all) return units;
  return all === 0 ? 0 : (units * own) / all;
}

function sentMessages({ operation, input }: RecordedCall): number {
  return operation === 'SendMessageBatch' ? (input?.Entries?.length ?? 0) : 0;
}
