import { itemSize } from 'sagabox';
import type { CallRecorder } from '../../lib/capacity/measured/call-recorder.ts';
import type { MeteredCall } from '../../lib/capacity/measured/recorded-call.ts';
import { messagesWaiting } from '../../test/support/own-engines/queues.ts';
import { Random } from '../../test/support/random.ts';
import type { Resources } from '../engines/resources.ts';
import {
  incompressibleBodyBytes,
  otherThanWanted,
  putItems,
  sagaBytesBesideState,
  storedSizes,
  wanted,
} from './conditions.ts';
import type { Contender, ContenderType } from './contender.ts';
import {
  byOperation,
  type CallsOfOperation,
  type Case,
  type CaseLoad,
  type Figures,
  figuresOf,
  loadOf,
  worst,
} from './figures.ts';
import type { OrderMessage } from './order-messages.ts';
import { incompressibleText, newOrder, newOrderId, newParcel } from './orders.ts';

export interface Sample {
  readonly seed: number;
  /** Measured messages of each number of outgoing messages, each of another saga, one after another. */
  readonly messages: number;
  /** Measured invocations of ten messages. */
  readonly batches: number;
}

export interface MeasuredCase {
  /** The most that a message, or an invocation, took. */
  readonly figures: Figures;
  /** The calls of the one that took the most write units. */
  readonly sequence: readonly CallsOfOperation[];
  /** Of the items that its transactions put. */
  readonly itemBytes: readonly number[];
}

/** One contender, with its orders. */
export class Run {
  readonly doubts: string[] = [];
  readonly #type: ContenderType;
  readonly #resources: Resources;
  readonly #meter: CallRecorder;
  readonly #random: Random;
  readonly #contender: Contender;
  #sent = 0;
  /** Around a state in a saga's item, and around a body in a stored message. */
  #besides = { state: 0, body: 0 };

  constructor(type: ContenderType, resources: Resources, meter: CallRecorder, seed: number) {
    this.#type = type;
    this.#resources = resources;
    this.#meter = meter;
    this.#random = new Random(seed);
    this.#contender = type.start(resources);
  }

  /** What a contender keeps besides data is for it to show: by an order whose only message is a digit. */
  async learnSizes(): Promise<void> {
    const order = newOrder(this.#random, wanted.sagaBytes);
    const body = { orderId: newOrderId(this.#random), order, parcels: [0] };
    const calls = await this.#deliver([{ id: this.#random.uuid(), type: 'OrderPlaced', body }]);
    const [operationBytes] = storedSizes(this.#type, calls).messageBytes;
    if (operationBytes === undefined) throw new Error('No outgoing message was stored');
    this.#besides = { state: sagaBytesBesideState(this.#type, calls), body: operationBytes - '0'.length };
  }

  async measure(name: Case, { messages, batches }: Sample, signal: AbortSignal): Promise<MeasuredCase> {
    const load = loadOf(name);
    const measured: (readonly MeteredCall[])[] = [];
    for (let count = 0; count < (load.messages > 1 ? batches : messages); count += 1) {
      signal.throwIfAborted();
      measured.push(await this.#invocation(load));
    }
    const ranked = measured.toSorted((a, b) => figuresOf(b).wcu - figuresOf(a).wcu);
    const [worstOne = []] = ranked;
    return {
      figures: worst(measured.map(figuresOf)),
      sequence: byOperation(worstOne),
      itemBytes: putItems(worstOne).map(itemSize),
    };
  }

  /**
   * So many orders are placed, unless the load is without sagas, and then changed by a message each, all in
   * one invocation: that one is measured.
   */
  async #invocation({ messages, hasSagas, ...load }: CaseLoad): Promise<readonly MeteredCall[]> {
    const orderIds = Array.from({ length: messages }, () => newOrderId(this.#random));
    const sagas = hasSagas ? messages : 0;
    const placed = hasSagas ? await this.#deliver(orderIds.map((orderId) => this.#placed(orderId))) : [];
    const calls = await this.#deliver(orderIds.map((orderId) => this.#packed(orderId, load)));
    const { body } = this.#besides;
    const messageBytes = load.isIncompressible ? incompressibleBodyBytes + body : wanted.messageBytes;
    this.#check(placed, sagas, 0, messageBytes);
    this.#check(calls, sagas, messages * load.outgoing, messageBytes);
    // A refused call is made again: the figures would be those of a conflict.
    const refused = calls.filter(({ refusedWcu }) => refusedWcu > 0);
    this.doubts.push(...refused.map(({ operation }) => `${operation} was refused`));
    return calls;
  }

  #check(calls: readonly MeteredCall[], sagas: number, messages: number, messageBytes: number): void {
    const wrong = otherThanWanted(storedSizes(this.#type, calls), sagas, messages, messageBytes);
    this.doubts.push(...wrong.map((problem) => `there was ${problem}`));
  }

  #placed(orderId: string): OrderMessage {
    const order = newOrder(this.#random, wanted.sagaBytes - this.#besides.state);
    return { id: this.#random.uuid(), type: 'OrderPlaced', body: { orderId, order, parcels: [] } };
  }

  #packed(
    orderId: string,
    { outgoing, isIncompressible }: Omit<CaseLoad, 'messages' | 'hasSagas'>,
  ): OrderMessage {
    const newBody = () =>
      isIncompressible
        ? incompressibleText(this.#random, incompressibleBodyBytes)
        : newParcel(this.#random, wanted.messageBytes - this.#besides.body);
    const parcels = Array.from({ length: outgoing }, newBody);
    return { id: this.#random.uuid(), type: 'OrderPacked', body: { orderId, parcels } };
  }

  async #deliver(messages: readonly OrderMessage[]): Promise<readonly MeteredCall[]> {
    this.#sent += messages.reduce((sum, { body }) => sum + body.parcels.length, 0);
    return await this.#meter.during(() => this.#contender.deliver(messages));
  }

  /** A figure is worth nothing for messages that were not sent. */
  async undelivered(): Promise<string[]> {
    const arrived = await messagesWaiting(this.#resources.sqsClient, this.#resources.queueUrl);
    return arrived === this.#sent ? [] : [`${arrived} of ${this.#sent} outgoing messages arrived`];
  }
}
