import type { CreateHandlerOptions } from 'sagabox';
import { sagaboxDeliveries } from '../engines/sagabox-deliveries.ts';
import { concurrency } from './concurrency.ts';
import type { StartContender } from './contender.ts';
import { carrier, endpoint } from './shipment-messages.ts';
import { shipmentSaga } from './shipment-saga.ts';

export const startSagabox: StartContender = startWith({ concurrency });
export const startSagaboxDefaultConcurrency: StartContender = startWith({});

function startWith(options: CreateHandlerOptions): StartContender {
  return (resources) => ({
    deliver: sagaboxDeliveries(shipmentSaga, resources, carrier, { endpoint, ...options }),
  });
}
