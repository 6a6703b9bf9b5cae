import { sqsEvent, sqsRecord, testApp, testHandlers, testSaga, testSession } from 'sagabox/testing';
import {
  listingHandlers,
  listingSaga,
  looseHandlers,
  orderSaga,
  place,
  purchase,
  quotesSaga,
  sessionOptions,
} from './shared-definitions.ts';

// A file that does not import the main entry point, whose types its declaration names.
export const orderTest = testSaga(orderSaga);
export const listingTest = testSaga(listingSaga);
export const handlersTest = testHandlers(listingHandlers);
export const sessionTest = testSession(place, sessionOptions);
export const appTest = testApp([
  { endpoint: 'shop', handles: [orderSaga, purchase, quotesSaga] },
  { endpoint: 'mail', handles: looseHandlers },
]);
export const record = sqsRecord({ type: 'OrderPlaced', body: { orderId: '1' } });
export const event = sqsEvent([record]);
