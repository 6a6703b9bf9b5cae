import { sagaCheck } from '../../core/saga/combined-write.ts';
import type { EmbeddedSagas } from '../../ports.ts';
import type { Outbox } from '../attempt.ts';
import { commitEmbedded } from './commit-embedded.ts';
import { combinedSaga } from './commit-records.ts';
import { lookUpInItem, openUnhandled } from './find-handled.ts';
import { recordsOutbox } from './records-outbox.ts';

/** Keeps all in the item of the saga; messages without a saga, and what overflows, in records. */
export function sagaItemOutbox(sagas: EmbeddedSagas): Outbox {
  return {
    isKept: true,
    isInSagaItem: true,

    lookUp: (attempt, correlated, place) =>
      correlated
        ? lookUpInItem(attempt, correlated, place?.group?.base)
        : recordsOutbox.lookUp(attempt, correlated, place),

    async commit(messages) {
      const allOpened = messages.map((message) => message.opened);
      const { opened, saga } = await combinedSaga(allOpened, messages);
      const outputs = messages.map(({ opened: attempt, operations }) => {
        return { attempt, operations, transactionItems: attempt.work.transactionItems };
      });
      return await commitEmbedded(sagas, opened, saga, outputs);
    },

    async commitEmpty(attempt, opened, lease) {
      if (opened === undefined) await recordsOutbox.commitEmpty(attempt, opened, lease);
      // The write also releases the lease.
      else await commitEmbedded(sagas, opened, sagaCheck(opened), [{ attempt }]);
    },

    openIgnored: openUnhandled,
  };
}
