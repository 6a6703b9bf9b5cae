import type { OutboxStore, SagaStore } from '../ports.ts';

/** For endpoints without an outbox: every message is new. */
export const withoutOutbox: OutboxStore = {
  find: async () => undefined,
  keepSent: async (_record, sent) => sent,
  markDispatched: async () => {},
};

/** For endpoints without a saga. */
export const withoutSagas: SagaStore = {
  load: async () => undefined,
};
