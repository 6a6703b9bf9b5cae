import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { fromStateAttributes, toStateAttributes } from '../../../core/storage/state-attributes.ts';
import { isSameState } from '../../shared/same-state.ts';

/** Between a saga's state and the attributes that it is stored as. */
export interface StateMapper {
  /** @throws Error for a state that cannot be stored */
  toAttributes(state: unknown): Record<string, AttributeValue>;
  /** @param attributes a copy, which the state may take parts of */
  fromAttributes(attributes: Record<string, AttributeValue>): unknown;
  /**
   * Whether two states would be stored alike: then the saga is not written.
   *
   * @default - compares what `toAttributes` makes of them
   */
  isSame?(state: unknown, stored: unknown): boolean;
}

/**
 * The values of JSON, sets, bytes and large big integers: what it takes comes back as it was. A property that
 * is undefined is left out. It refuses everything else, with the path and the remedy; the list is in
 * docs/guide/sagas.md.
 */
export const defaultMapper: StateMapper = {
  toAttributes: toStateAttributes,
  fromAttributes: fromStateAttributes,
  // There is nothing in a state that it would not see, and it takes a fifth of the time.
  isSame: isSameState,
};
