import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Resources } from '../engines/resources.ts';
import type { OrderMessage } from './order-messages.ts';

export type Item = Record<string, AttributeValue>;

/** One of the systems whose cost is measured. */
export interface Contender {
  /** One invocation of its function, with all of these messages. */
  deliver(messages: readonly OrderMessage[]): Promise<void>;
}

/** What a contender's items hold. */
export interface Layout {
  isSaga(item: Item): boolean;
  /** The outgoing messages that an item holds: JSON, with headers and body, as it is kept. */
  operationsIn(item: Item): readonly string[];
}

export interface ContenderType extends Layout {
  readonly name: 'sagabox' | 'itemized';
  readonly start: (resources: Resources) => Contender;
}
