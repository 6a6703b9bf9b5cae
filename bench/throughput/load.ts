import { eventOf, packed, type ShipmentEvent } from './shipment-messages.ts';

export interface Load {
  /** Messages of one event: one invocation works on all of them. */
  readonly atATime: number;
  /** Of each contender in each round, in whole events. */
  readonly messages: number;
  readonly rounds: number;
}

/** The events of one round. */
export function loadEvents(shipmentIds: readonly string[], load: Load): ShipmentEvent[] {
  return Array.from({ length: eventsIn(load) }, (_, event) => {
    const first = event * load.atATime;
    const messages = Array.from({ length: load.atATime }, (__, index) =>
      packed(shipmentIds[(first + index) % shipmentIds.length] ?? ''),
    );
    return eventOf(messages);
  });
}

/** That one contender gets in one round. */
export function messagesIn(load: Load): number {
  return eventsIn(load) * load.atATime;
}

function eventsIn({ messages, atATime }: Load): number {
  return Math.ceil(messages / atATime);
}
