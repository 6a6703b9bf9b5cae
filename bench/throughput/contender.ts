import type { Resources } from '../engines/resources.ts';
import type { ShipmentEvent } from './shipment-messages.ts';

/** One of the systems whose speed is compared. */
export interface Contender {
  /**
   * One invocation of its function, with all messages of the event at a time.
   *
   * @throws when a message fails
   */
  deliver(event: ShipmentEvent): Promise<void>;
}

export type StartContender = (resources: Resources) => Contender;
/**
 * `sagaboxDefaultConcurrency` works on as many messages of an event at a time as it does when it is told
 * nothing else.
 */
export type ContenderName = 'sagabox' | 'itemized' | 'sagaboxDefaultConcurrency';
