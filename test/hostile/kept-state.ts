import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { expect } from '@jest/globals';
import { sagaKey } from '../../lib/dynamodb/keys.ts';
import { defaultMapper } from '../../lib/saga/item/mapper.dynamodb.ts';
import type { MemoryEndpoint } from './memory-endpoint.ts';

/** The state of a saga as a later message would get it; undefined when there is none. */
export function keptState({ storage }: MemoryEndpoint, name: string, id: string): unknown {
  const stored = storage.sagas.get(sagaKey({ name, id }).partition);
  return stored && defaultMapper.fromAttributes(stored.state as Record<string, AttributeValue>);
}

/** That nothing of it was lost or changed; a property that is undefined counts as absent. */
export function expectSameState(kept: unknown, given: unknown): void {
  expect(parts(kept)).toEqual(parts(given));
}

/**
 * Objects as lists of their own properties, which may have any name: no comparison can then take an inherited
 * one for it.
 */
function parts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) return ['bytes', ...(value as Uint8Array)];
  if (value instanceof Set) return ['set', ...[...value].map(parts)];
  if (Array.isArray(value)) return ['list', ...value.map(parts)];
  const present = Object.entries(value).filter(([, property]) => property !== undefined);
  return ['object', present.map(([name, property]) => [name, parts(property)]).toSorted(byName)];
}

function byName([one]: readonly unknown[], [other]: readonly unknown[]): number {
  return String(one) < String(other) ? -1 : 1;
}
