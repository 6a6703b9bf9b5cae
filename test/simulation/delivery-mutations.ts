import type { Mutation } from './mutation.ts';

/** In what is around it: the batch, the dispatch, the recovery. */
export const deliveryMutations: readonly Mutation[] = [
  {
    name: 'the mark comes before the dispatch',
    file: 'lib/flow/dispatch-and-mark.ts',
    piece:
      'await dispatcher.dispatch(record.operations);\n  await outbox.markDispatched(record, clock.now(), meter);',
    becomes:
      'await outbox.markDispatched(record, clock.now(), meter);\n  await dispatcher.dispatch(record.operations);',
    breaks: ['I5'],
  },
  {
    name: 'the recovery marks before it dispatches',
    file: 'lib/flow/recover.ts',
    piece:
      'await dispatcher.dispatch(record.operations);\n    await outbox.markDispatched(record, clock.now(), meter);',
    becomes:
      'await outbox.markDispatched(record, clock.now(), meter);\n    await dispatcher.dispatch(record.operations);',
    breaks: ['I5'],
  },
  {
    name: 'a dispatch that fails is taken for done',
    file: 'lib/flow/dispatch-and-mark.ts',
    piece: 'await dispatcher.dispatch(record.operations);',
    becomes: 'await dispatcher.dispatch(record.operations).catch(() => {});',
    breaks: ['I5'],
  },
  {
    name: 'a mark that fails is taken for done',
    file: 'lib/flow/dispatch-and-mark.ts',
    piece: 'await outbox.markDispatched(record, clock.now(), meter);',
    becomes: 'await outbox.markDispatched(record, clock.now(), meter).catch(() => {});',
    breaks: ['I5'],
  },
  {
    name: 'a failed message is acknowledged',
    file: 'lib/flow/settle-record.ts',
    piece: 'return { retryInSeconds, ...(isLastDelivery(failure) && { leavesQueue: true }) };',
    becomes: "return 'acknowledged';",
    breaks: ['I5'],
  },
  {
    name: 'a forward that fails is taken for done',
    file: 'lib/flow/settle-record.ts',
    piece: 'observer.forwardFailed(failure, forwardError);\n    return false;',
    becomes: 'observer.forwardFailed(failure, forwardError);\n    return true;',
    breaks: ['I5'],
  },
  {
    name: 'the changes of visibility are not awaited',
    file: 'lib/middleware/sqs-batch.ts',
    piece: 'await recovery.delayReturned(returned, time);',
    becomes: 'void recovery.delayReturned(returned, time);',
    breaks: ['I6'],
  },
  {
    name: 'an unrecoverable message is not sent to the error queue',
    file: 'lib/flow/recoverability.ts',
    piece: 'if (isUnrecoverable(error) && hasErrorQueue) return recovery.errorQueue;',
    becomes: '',
    breaks: ['kept'],
  },
  {
    name: 'a message is not sent to the error queue after its last delivery',
    file: 'lib/flow/settle-record.ts',
    piece: "action.action === 'errorQueue' || isLastDelivery(failure);",
    becomes: "action.action === 'errorQueue';",
    breaks: ['kept'],
  },
  {
    name: 'the recovery takes records without a claim',
    file: 'lib/flow/recover.ts',
    piece: "if (claim !== 'claimed') return claim;",
    becomes: '',
    breaks: ['lease'],
  },
  {
    name: 'the recovery does not postpone what it cannot dispatch',
    file: 'lib/flow/recover.ts',
    piece: 'await Promise.allSettled([undispatched.postpone(record.messageId, wait, meter)]);',
    becomes: 'void wait;',
    breaks: ['I5'],
  },
  {
    name: 'the recovery tells a record as dispatched that it could not dispatch',
    file: 'lib/flow/recover.ts',
    piece:
      'await Promise.allSettled([undispatched.postpone(record.messageId, wait, meter)]);\n    throw error;',
    becomes: 'await Promise.allSettled([undispatched.postpone(record.messageId, wait, meter)]);',
    breaks: ['I5'],
  },
  {
    name: 'delays are dropped',
    file: 'lib/flow/routed-dispatcher.ts',
    piece: 'if (secondsLeft <= 0) return others;',
    becomes: 'if (secondsLeft < Infinity) return others;',
    breaks: ['model'],
  },
  {
    name: 'a FIFO group goes on behind a message that failed',
    file: 'lib/flow/batch.ts',
    piece: 'if (!outcome.leavesQueue) {',
    becomes: 'if (false) {',
    breaks: ['I5'],
  },
];
