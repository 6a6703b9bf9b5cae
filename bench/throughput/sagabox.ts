import type { CreateHandlerOptions } from 'sagabox';
import { sagaboxDeliveries } from '../engines/sagabox-deliveries.ts';
import type { StartContender } from './contender.ts';
import { carrier, endpoint } from './shipment-messages.ts';
import { shipmentSaga } from './shipment-saga.ts';

/** Messages of one event that are worked on at a time: all, as the itemized peer does. The default is 10. */
export const concurrency = 50;

export const startSagabox: StartContender = startWith({ concurrency });
export const startSagaboxDefaultConcurrency: StartContender = startWith({});

function startWith(options: CreateHandlerOptions): StartContender {
  return (resources) => ({
    deliver: sagaboxDeliveries(shipmentSaga, resources, carrier, { endpoint, ...options }),
  });
}
