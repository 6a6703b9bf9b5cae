import type { Outbox } from '../../attempt/attempt.ts';
import type { EmbeddedSagas } from '../../outbox/embedded/embedded-sagas.ts';
import { sagaCheck } from '../../saga/combined-write.ts';
import { combinedSaga } from './combined-saga.ts';
import { commitEmbedded } from './commit-embedded.ts';
import { lookUpInItem, openUnhandled } from './look-up-in-item.ts';
import { recordsOutbox } from './records-outbox.ts';

/** Keeps all in the item of the saga; messages without a saga, and what overflows, in records. */
export function sagaItemOutbox(sagas: EmbeddedSagas): Outbox {
  return {
    isKept: true,
    isInSagaItem: true,

    lookUp: (attempt, correlated, queueEntry) =>
      correlated
        ? lookUpInItem(attempt, correlated, queueEntry?.group?.base)
        : recordsOutbox.lookUp(attempt, correlated, queueEntry),

    async commit(messages) {
      const allOpened = messages.map((message) => message.opened);
      const { openedSaga, saga } = await combinedSaga(allOpened, messages);
      const outputs = messages.map(({ opened: attempt, operations }) => {
        return { attempt, operations, transactionItems: attempt.work.transactionItems };
      });
      return await commitEmbedded(sagas, openedSaga, saga, outputs);
    },

    async commitEmpty(attempt, openedSaga, lease) {
      if (openedSaga === undefined) await recordsOutbox.commitEmpty(attempt, openedSaga, lease);
      // The write also releases the lease.
      else await commitEmbedded(sagas, openedSaga, sagaCheck(openedSaga), [{ attempt }]);
    },

    openIgnored: openUnhandled,
  };
}
