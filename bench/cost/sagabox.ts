import { isEncoding } from '../../lib/core/outbox/compression.ts';
import { unpack } from '../../lib/core/outbox/packing.ts';
import { sagaboxDeliveries } from '../engines/sagabox-deliveries.ts';
import { sqsRecord } from '../engines/sqs-records.ts';
import type { ContenderType } from './contender.ts';
import { endpoint, shipping } from './order-messages.ts';
import { orderSaga } from './order-saga.ts';

/** The handler that a user of sagabox deploys. */
export const sagabox: ContenderType = {
  name: 'sagabox',

  start(resources) {
    const deliver = sagaboxDeliveries(orderSaga, resources, shipping, { endpoint });
    return {
      deliver: (messages) => deliver({ Records: messages.map((message) => sqsRecord(message, endpoint)) }),
    };
  },

  isSaga: (item) => item.SK?.S === 'SAGA',

  operationsIn(item) {
    if (item.operations?.B === undefined) return [];
    const encoding = item.encoding?.S;
    if (encoding !== undefined && !isEncoding(encoding)) throw new Error(`Unknown encoding '${encoding}'`);
    return unpack(item.operations.B, encoding).map((operation) => JSON.stringify(operation));
  },
};
