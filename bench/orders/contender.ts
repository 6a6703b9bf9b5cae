import type { Resources } from '../engines/resources.ts';
import type { OrderEvent } from './order-messages.ts';

/**
 * One invocation of a contender's function, with all messages of the event.
 *
 * @throws Error if a message fails
 */
export type Deliver = (event: OrderEvent) => Promise<void>;
export type StartContender = (resources: Resources) => Deliver;
