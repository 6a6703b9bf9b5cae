import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';

/** Between a saga's state and the attributes that it is stored as. */
export interface StateMapper {
  /** @throws Error for a state that cannot be stored */
  toAttributes(state: unknown): Record<string, AttributeValue>;
  fromAttributes(attributes: Record<string, AttributeValue>): unknown;
}

/** JSON's values, and sets, bytes and big integers. It refuses class instances, a Date too, rather than store them as `{}`. */
export const defaultMapper: StateMapper = {
  toAttributes: (state) => marshall(state as Record<string, unknown>, { removeUndefinedValues: true }),
  fromAttributes: (attributes) => unmarshall(withOwnBytes(attributes)),
};

/**
 * `unmarshall` hands out the bytes of the attributes themselves: a handler that changes them in place would change what
 * its state is compared with.
 */
function withOwnBytes(attributes: Record<string, AttributeValue>): Record<string, AttributeValue> {
  const entries = Object.entries(attributes).map(([name, value]) => [name, copyBytes(value)] as const);
  return Object.fromEntries(entries);
}

function copyBytes(value: AttributeValue): AttributeValue {
  if (value.B) return { B: new Uint8Array(value.B) };
  if (value.BS) return { BS: value.BS.map((bytes) => new Uint8Array(bytes)) };
  if (value.L) return { L: value.L.map(copyBytes) };
  if (value.M) return { M: withOwnBytes(value.M) };
  return value;
}
