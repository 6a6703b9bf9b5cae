import type { OfMessage, OfRecord } from './delivery-errors.ts';

/** Errors of tests: the message of each, made of its facts. */
export const testErrorMessages = {
  /**
   * In [`testApp`](docs/guide/testing.md#several-endpoints), a message went to an error queue, and the test
   * did not ask for it. `cause` is what the handler threw.
   *
   * @remedy Correct the handler, or create the app with `throwOnFailure: false`.
   */
  MessageFailed: (f: OfRecord & OfMessage & { receiveCount: number; detail: string }) =>
    `Message '${f.messageId}' of type '${f.messageType}' is in the error queue of endpoint '${f.endpoint}', ` +
    `at its delivery ${f.receiveCount}: ${f.detail.replace(/\.$/, '')}. ` +
    'Correct its handler or its sender, or create the app with throwOnFailure: false.',
  /**
   * In the [test kit](docs/guide/testing.md), a `sendImmediately` failed that the handler did not await.
   * Production logs that, and everything else is committed there as in the test.
   *
   * @remedy Await `sendImmediately`, and decide in the handler what its failure means.
   */
  ImmediateSendFailed: (f: { messageId: string; detail: string }) =>
    `A message of sendImmediately was not sent while '${f.messageId}' was handled, and its handler did not wait ` +
    `for it: ${f.detail.replace(/\.$/, '')}. Await it, and decide in the handler what its failure means.`,
  /**
   * In [`testApp`](docs/guide/testing.md#several-endpoints), there are still messages to deliver after
   * `maxDeliveries`.
   *
   * @remedy Look whether handlers answer each other for ever. If not, raise `maxDeliveries`.
   */
  NeverQuiet: (f: { maxDeliveries: number; messages: readonly string[] }) =>
    `After ${f.maxDeliveries} deliveries there are still messages to deliver. Most were ${f.messages.join(', ')}. ` +
    'Do handlers answer each other for ever? If not, raise maxDeliveries.',
};
