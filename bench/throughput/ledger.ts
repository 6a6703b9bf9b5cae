import { defaultMapper } from '../../lib/adapters/dynamodb/saga/mapper.ts';
import { messagesWaiting } from '../../test/support/own-engines/queues.ts';
import type { Resources } from '../engines/resources.ts';
import { sagaItem } from '../engines/saga-items.ts';
import type { ShipmentState } from './shipment-messages.ts';
import { sagaName } from './shipment-saga.ts';

/** What came of the messages. */
export interface Ledger {
  readonly states: Readonly<Record<string, ShipmentState | undefined>>;
  /** Messages that wait in the carrier's queue. */
  readonly sent: number;
}

/** Both contenders keep a shipment under the same key, and its state in the same attribute. */
export async function ledgerOf(resources: Resources, shipmentIds: readonly string[]): Promise<Ledger> {
  const states = await Promise.all(
    shipmentIds.map(async (shipmentId) => [shipmentId, await stateOf(resources, shipmentId)] as const),
  );
  return {
    states: Object.fromEntries(states),
    sent: await messagesWaiting(resources.sqsClient, resources.queueUrl),
  };
}

export function packedIn({ states }: Ledger): number {
  return Object.values(states).reduce((sum, state) => sum + (state?.packed ?? 0), 0);
}

async function stateOf(resources: Resources, shipmentId: string): Promise<ShipmentState | undefined> {
  const item = await sagaItem(resources, { name: sagaName, id: shipmentId });
  return item?.state?.M && (defaultMapper.fromAttributes(item.state.M) as ShipmentState);
}
