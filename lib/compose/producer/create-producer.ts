import type { Contract } from '../../messages/contracts/contract.ts';
import { checksOf } from '../../messages/contracts/listed-contracts.ts';
import { senderOf, withParticipants } from '../../messages/contracts/participant.ts';
import type { OutgoingMessage } from '../../messages/message.ts';
import type { Transport } from '../../sending/dispatcher.ts';
import { prepareMessages } from './prepare-messages.ts';
import type { Producer, ProducerMessage, ProducerOptions } from './producer-options.ts';
import { producerSettings } from './producer-settings.ts';
import { producerTransport } from './producer-transport.ts';
import { sendPrepared } from './send-prepared.ts';

/**
 * Makes a producer, which sends messages to a queue, topic or event bus without a transaction: from programs
 * that do not use sagabox otherwise, or where no outbox is needed.
 *
 * Messages have the attributes that sagabox reads at the receiver. Messages that the service refuses for now
 * are sent again, with full jitter, up to three times and under the same id.
 *
 * @throws SagaboxError `Configuration` for options that cannot be used
 * @example
 * ```ts
 * import { createProducer, defineContract } from 'sagabox';
 * import * as v from 'valibot';
 *
 * const orders = defineContract('orders', { OrderPlaced: v.object({ orderId: v.string() }) });
 * const producer = createProducer({ queueUrl: process.env.ORDERS_QUEUE_URL, contract: orders });
 *
 * export async function placeOrder(orderId: string): Promise<void> {
 *   await producer.send('OrderPlaced', { orderId }, { key: orderId });
 * }
 * ```
 */
export function createProducer<C extends Contract = Contract>(options: ProducerOptions<C>): Producer<C> {
  const settings = producerSettings(options);
  const { contract, tracing } = options;
  const checks = contract && checksOf('createProducer', { sends: [contract] });
  let transport: Transport | undefined;

  const sendAll = async (
    messages: readonly ProducerMessage[],
    isBatch: boolean,
  ): Promise<readonly string[]> => {
    const destination = settings.destination();
    const prepare = (traceHeaders: Readonly<Record<string, string>>) =>
      prepareMessages(messages, destination, { ...settings, checks, isBatch, traceHeaders });
    const send = async (prepared: readonly OutgoingMessage[]) => {
      transport ??= producerTransport(destination, options, settings);
      await sendPrepared(prepared, transport, destination);
    };
    if (tracing) return await tracing.produce(destination, { isBatch, prepare, send });
    const prepared = await prepare({});
    await send(prepared);
    return prepared.map(({ id }) => id);
  };

  const producer: Producer<C> = {
    send: async (type, body, sendOptions) => {
      const [id = ''] = await sendAll([{ ...sendOptions, type, body }], false);
      return id;
    },
    sendBatch: (messages) => sendAll(messages as readonly ProducerMessage[], true),
  };
  const list = 'queueUrl' in options ? 'sends' : 'publishes';
  return withParticipants(producer, [senderOf({ ...(contract && { [list]: [contract] }) })]);
}
