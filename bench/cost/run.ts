import { itemSize } from 'sagabox';
import { CallRecorder } from '../../lib/capacity/measured/call-recorder.ts';
import type { MeteredCall } from '../../lib/capacity/measured/recorded-call.ts';
import type { Clients } from '../../test/support/own-engines/clients.ts';
import { messagesWaiting } from '../../test/support/own-engines/queues.ts';
import { Random } from '../../test/support/random.ts';
import { mapNamesInSequence } from '../benchmark/in-turns.ts';
import { type Resources, withResources } from '../engines/resources.ts';
import type { Deliver } from '../orders/contender.ts';
import { incompressibleText, newOrder, newOrderId, newParcel } from '../orders/order-data.ts';
import { eventOf, type OrderMessage, packed, placed } from '../orders/order-messages.ts';
import type { Contender } from './contenders.ts';
import { type Case, type CaseLoad, cases, loadOf, type Units, unitsOf, wanted, worst } from './figures.ts';
import { bytesAround, otherThanWanted } from './stored-sizes.ts';

export interface Sample {
  readonly seed: number;
  /** Measured messages of each number of outgoing messages, each of another saga, one after another. */
  readonly messages: number;
  /** Measured invocations of ten messages. */
  readonly batches: number;
}

export interface MeasuredCase {
  /** The most that a message, or an invocation, took. */
  readonly units: Units;
  /** The calls of the one that took the most write units. */
  readonly calls: readonly MeteredCall[];
  /** Of the items that it commits: of an embedded outbox what is set of them. */
  readonly itemBytes: readonly number[];
}

export interface Measurement {
  readonly cases: Readonly<Record<Case, MeasuredCase>>;
  /** What makes it worthless. */
  readonly doubts: readonly string[];
}

/** @param onProgress called with the case that comes next */
export async function measure(
  contender: Contender,
  clients: Clients,
  sample: Sample,
  signal: AbortSignal,
  onProgress: (next: Case) => void = () => {},
): Promise<Measurement> {
  const work = async (resources: Resources) => {
    const recorder = new CallRecorder();
    const stop = recorder.watch(clients.dynamoDBClient, clients.sqsClient);
    try {
      const run = new Run(contender, resources, recorder, sample.seed);
      await run.learnSizes();
      const measured = await mapNamesInSequence(cases, (name) => {
        onProgress(name);
        return run.measure(name, sample, signal);
      });
      const doubts = new Set([...recorder.doubts, ...run.doubts, ...(await run.undelivered())]);
      return { cases: measured, doubts: [...doubts] };
    } finally {
      stop();
    }
  };
  // As the recommended setting has it, in which a relay finds what was not sent.
  return await withResources(clients, 'cost', work, { stream: 'NEW_IMAGE' });
}

/** One contender, with its orders. */
class Run {
  readonly doubts: string[] = [];
  readonly #contender: Contender;
  readonly #resources: Resources;
  readonly #recorder: CallRecorder;
  readonly #random: Random;
  readonly #deliverEvent: Deliver;
  #sent = 0;
  #bytesAround = { state: 0, body: 0 };

  constructor(contender: Contender, resources: Resources, recorder: CallRecorder, seed: number) {
    this.#contender = contender;
    this.#resources = resources;
    this.#recorder = recorder;
    this.#random = new Random(seed);
    this.#deliverEvent = contender.start(resources);
  }

  /** An order whose only message is a digit shows what a contender stores besides data. */
  async learnSizes(): Promise<void> {
    const orderId = newOrderId(this.#random);
    await this.#deliver(this.#history(orderId));
    const calls = await this.#deliver([packed(orderId, [0], this.#random.uuid())]);
    this.#bytesAround = bytesAround(this.#contender, calls);
  }

  async measure(name: Case, { messages, batches }: Sample, signal: AbortSignal): Promise<MeasuredCase> {
    const load = loadOf(name);
    const measured: (readonly MeteredCall[])[] = [];
    for (let count = 0; count < (load.messages > 1 ? batches : messages); count += 1) {
      signal.throwIfAborted();
      measured.push(await this.#invocation(load));
    }
    const [calls = []] = measured.toSorted((a, b) => unitsOf(b).wcu - unitsOf(a).wcu);
    const items = calls.flatMap((call) => this.#contender.committedItems(call));
    return { units: worst(measured.map(unitsOf)), calls, itemBytes: items.map(itemSize) };
  }

  /**
   * Places the orders with their histories, if the load has sagas, and changes each by one message: that invocation is measured.
   */
  async #invocation(load: CaseLoad): Promise<readonly MeteredCall[]> {
    const { messages, hasSagas, outgoing } = load;
    const orderIds = Array.from({ length: messages }, () => newOrderId(this.#random));
    const sagas = hasSagas ? messages : 0;
    if (hasSagas) await this.#deliver(orderIds.flatMap((orderId) => this.#history(orderId)));
    const calls = await this.#deliver(orderIds.map((orderId) => this.#packed(orderId, load)));
    const { body } = this.#bytesAround;
    const messageBytes = load.isIncompressible ? wanted.messageBytes + body : wanted.messageBytes;
    this.#check(calls, { sagas, messages: messages * outgoing, messageBytes });
    // A refused call is made again: the figures would be those of a conflict.
    const refused = calls.filter(({ refusedWcu }) => refusedWcu > 0);
    this.doubts.push(...refused.map(({ operation }) => `${operation} was refused`));
    return calls;
  }

  #check(calls: readonly MeteredCall[], sizes: Parameters<typeof otherThanWanted>[2]): void {
    const problems = otherThanWanted(this.#contender, calls, sizes);
    this.doubts.push(...problems.map((problem) => `there was ${problem}`));
  }

  /** What an order has behind it: it is placed, and packed as often as it is to have handled messages. */
  #history(orderId: string): OrderMessage[] {
    const order = newOrder(this.#random, wanted.sagaBytes - this.#bytesAround.state);
    const packs = Array.from({ length: this.#contender.handledBefore - 1 }, () =>
      packed(orderId, [], this.#random.uuid()),
    );
    return [placed(orderId, order, this.#random.uuid()), ...packs];
  }

  /** The bodies of messages that do not compress are as large by themselves as the others are as stored. */
  #packed(orderId: string, { outgoing, isIncompressible }: CaseLoad): OrderMessage {
    const newBody = () =>
      isIncompressible
        ? incompressibleText(this.#random, wanted.messageBytes)
        : newParcel(this.#random, wanted.messageBytes - this.#bytesAround.body);
    const parcels = Array.from({ length: outgoing }, newBody);
    return packed(orderId, parcels, this.#random.uuid());
  }

  async #deliver(messages: readonly OrderMessage[]): Promise<readonly MeteredCall[]> {
    this.#sent += messages.reduce((sum, { body }) => sum + body.parcels.length, 0);
    return await this.#recorder.during(() => this.#deliverEvent(eventOf(messages)));
  }

  /** A figure is worth nothing for messages that were not sent. */
  async undelivered(): Promise<string[]> {
    const arrived = await messagesWaiting(this.#resources.sqsClient, this.#resources.queueUrl);
    return arrived === this.#sent ? [] : [`${arrived} of ${this.#sent} outgoing messages arrived`];
  }
}
