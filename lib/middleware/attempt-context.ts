import type { AttemptState } from '../flow/batch/attempt-state.ts';

/** How sqsBatch hands an attempt to the sagaOutbox inside the handler: out of sight in the Lambda context. */
export const attemptStateOf: unique symbol = Symbol('sagabox.attempt');

export interface AttemptContext {
  [attemptStateOf]?: AttemptState;
}
