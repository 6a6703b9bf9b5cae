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
  fromAttributes: (attributes) => unmarshall(attributes),
};
