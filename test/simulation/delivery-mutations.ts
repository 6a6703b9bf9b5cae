import type { Mutation } from './mutation.ts';

/** In what is around it: the batch, the dispatch, the relay. */
export const deliveryMutations: readonly Mutation[] = [
  {
    name: 'the mark comes before the dispatch',
    file: 'lib/flow/dispatch.ts',
    piece: 'const dispatch = new OutboxDispatch(ports, record, terms);',
    becomes:
      'await ports.outbox.markDispatched(record, ports.clock.now(), terms.meter);\n  const dispatch = new OutboxDispatch(ports, record, terms);',
    breaks: ['I5'],
  },
  {
    name: 'the relay marks before it dispatches',
    file: 'lib/flow/relay/relay.ts',
    piece:
      'await dispatch.sendRest();\n    await outbox.markDispatched(dispatch.record, clock.now(), meter, signal);',
    becomes: 'await outbox.markDispatched(record, clock.now(), meter);\n    await dispatch.sendRest();',
    breaks: ['I5'],
  },
  {
    name: 'a dispatch that fails is taken for done',
    file: 'lib/flow/dispatch.ts',
    piece: 'await dispatch.sendRest();',
    becomes: 'await dispatch.sendRest().catch(() => {});',
    breaks: ['I5'],
  },
  {
    name: 'all of a record is kept as sent when a part of it was',
    file: 'lib/flow/dispatch.ts',
    piece: 'operations.map(({ id }) => this.#sentIds.has(id));',
    becomes: 'operations.map(() => true);',
    breaks: ['I5'],
  },
  {
    name: 'a dispatch that fails counts all of its operations as sent',
    file: 'lib/flow/dispatch.ts',
    piece: 'const onTaken = (operationIds: readonly string[]) => {',
    becomes:
      'this.#noteSent(rest.map(({ id }) => id));\n    const onTaken = (operationIds: readonly string[]) => {',
    breaks: ['I5'],
  },
  {
    name: 'a mark that fails is taken for done',
    file: 'lib/flow/dispatch.ts',
    piece:
      'await ports.outbox.markDispatched(dispatch.record, ports.clock.now(), terms.meter, terms.signal);',
    becomes:
      'await ports.outbox.markDispatched(dispatch.record, ports.clock.now(), terms.meter, terms.signal).catch(() => {});',
    breaks: ['I5'],
    seed: 33,
  },
  {
    name: 'a failed message is acknowledged',
    file: 'lib/flow/recoverability/handle-failure.ts',
    piece:
      'return { retryInSeconds, ...(isLast && { leavesQueue: true }), ...(countsAsFailure && { failure: error }) };',
    becomes: "return 'acknowledged';",
    breaks: ['I5', 'order'],
  },
  {
    name: 'a forward that fails is taken for done',
    file: 'lib/flow/recoverability/handle-failure.ts',
    piece: 'log.forwardFailed(failure, forwardError);\n    return false;',
    becomes: 'log.forwardFailed(failure, forwardError);\n    return true;',
    breaks: ['I5', 'order'],
    seed: 92,
  },
  {
    name: 'a message that is aborted is acknowledged',
    file: 'lib/flow/batch/invocation-deadline.ts',
    piece: 'await this.untilEnd(() => fail(error)).catch(() => {});\n    throw error;',
    becomes: 'await this.untilEnd(() => fail(error)).catch(() => {});',
    breaks: ['I5'],
  },
  {
    name: 'a message that has no end is waited for',
    file: 'lib/flow/batch/invocation-deadline.ts',
    piece: 'this.#cancelTimer = this.#before(this.#margins.giveUpMs, () => this.#giveUpAll());',
    becomes: '',
    breaks: ['I7'],
  },
  {
    name: 'an aborted attempt continues when its call is answered late',
    file: 'lib/flow/batch/delivery.ts',
    piece: 'if (this.#ended) throw new Error(',
    becomes: 'if (false) throw new Error(',
    breaks: ['I6'],
    seed: 17,
  },
  {
    name: 'a message that a policy ignores leaves no record',
    file: 'lib/flow/recoverability/handle-failure.ts',
    piece: "if (action.action === 'ignore') await storeIgnored(failure, delivery, run);",
    becomes: '',
    breaks: ['I5', 'order'],
    seed: 1,
  },
  {
    name: 'a policy may ignore what is committed',
    file: 'lib/flow/recoverability/handle-failure.ts',
    piece: 'await deadline.untilEnd(async () => await ignore?.());',
    becomes: 'await deadline.untilEnd(async () => await ignore?.()).catch(() => {});',
    breaks: ['I5'],
    seed: 20,
  },
  {
    name: 'the changes of visibility are not awaited',
    file: 'lib/middleware/batch-handler.ts',
    piece: 'await failureHandling.delayReturned(returned, deadline);',
    becomes: 'void failureHandling.delayReturned(returned, deadline);',
    breaks: ['I6'],
  },
  {
    name: 'an unrecoverable message is not sent to the error queue',
    file: 'lib/flow/recoverability/policy.ts',
    piece: 'if (isUnrecoverable(error) && hasErrorQueue) return recoverability.errorQueue;',
    becomes: '',
    breaks: ['kept'],
    seed: 1,
  },
  {
    name: 'a message is not sent to the error queue after its last delivery',
    file: 'lib/flow/recoverability/handle-failure.ts',
    piece: "action.action === 'errorQueue' || (isLast && !isNotConfigured(error));",
    becomes: "action.action === 'errorQueue';",
    breaks: ['kept'],
    seed: 3,
  },
  {
    name: 'the relay takes records without a claim',
    file: 'lib/flow/relay/relay.ts',
    piece: "if (claim !== 'claimed') return claim;",
    becomes: '',
    breaks: ['lease'],
    seed: 108,
  },
  {
    name: 'the relay does not postpone what it cannot dispatch',
    file: 'lib/flow/relay/relay.ts',
    piece: 'await settled(undispatched.postpone(dispatch.record, wait, meter, dispatch.unkept));',
    becomes: 'void wait;',
    breaks: ['I5'],
    seed: 17,
  },
  {
    name: 'the relay tells a record as dispatched that it could not dispatch',
    file: 'lib/flow/relay/relay.ts',
    piece:
      'await settled(undispatched.postpone(dispatch.record, wait, meter, dispatch.unkept));\n    throw error;',
    becomes:
      "await settled(undispatched.postpone(dispatch.record, wait, meter, dispatch.unkept));\n    return 'dispatched';",
    breaks: ['I5'],
    seed: 17,
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
    file: 'lib/flow/batch/batch.ts',
    piece: 'if (comesBack(outcome)) stopped = outcome;',
    becomes: '',
    breaks: ['I5'],
    seed: 3,
  },
];
