import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { convertToAttr, unmarshall } from '@aws-sdk/util-dynamodb';
import { assertKept } from './assert-kept.ts';

/** Between a saga's state and the attributes that it is stored as. */
export interface StateMapper {
  /** @throws Error for a state that cannot be stored */
  toAttributes(state: unknown): Record<string, AttributeValue>;
  fromAttributes(attributes: Record<string, AttributeValue>): unknown;
}

/**
 * JSON's values, and sets, bytes and big integers; a property that is undefined is left out. It refuses class instances,
 * a Date and a Map too, and all else that would come back as something different. A big integer that a number can hold
 * comes back as a number.
 */
export const defaultMapper: StateMapper = {
  toAttributes: (state) => {
    const { M } = convertToAttr(state, { removeUndefinedValues: true });
    if (M === undefined) throw new Error('it is no plain object');
    assertKept(state, 'state');
    return M;
  },
  // The bytes in it would be the attributes' own: a handler that changes them would change what its state is compared with.
  fromAttributes: (attributes) => unmarshall(structuredClone(attributes)),
};
