import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { Call } from '../contention/call-counter.ts';
import { computeUnits, noUnits, type Units } from './computed-units.ts';
import { ItemSizes } from './item-sizes.ts';

/** `reported` by the engine; `computed` where it reports wrongly; `none` for calls that take no units. */
export type UnitSource = 'reported' | 'computed' | 'none';

/** A request that was sent, and what it took. */
export interface MeteredCall extends Call {
  readonly units: Units;
  readonly source: UnitSource;
}

/**
 * What DynamoDB Local reports of transactions is wrong, and it takes nothing for an item that a batch of reads or a query does
 * not find, which DynamoDB charges as the smallest one.
 */
const wronglyReported = ['TransactWriteItems', 'BatchGetItem', 'Query'];
const readOperations = ['GetItem'];
const sqsOperations = ['SendMessage', 'SendMessageBatch', 'GetQueueAttributes'];
const refusals = ['TransactionCanceledException', 'ConditionalCheckFailedException'];

/** What the meter needs of a client of the SDK. */
interface WatchedClient {
  readonly middlewareStack: {
    add(
      middleware: (
        next: (args: never) => Promise<unknown>,
        context: { commandName?: string },
      ) => (args: never) => Promise<unknown>,
      options: { step: 'finalizeRequest'; name: string; priority: 'low' },
    ): void;
    remove(name: string): boolean;
  };
}

const middlewareName = 'sagaboxCostMeter';

/** Sees every request that clients send, and keeps what each took. */
export class CallMeter {
  /** Why the units may not be trusted: an engine that reports other than the rules give, though it is known to be right. */
  readonly doubts: string[] = [];
  readonly #sizes = new ItemSizes();
  readonly #calls: MeteredCall[] = [];

  /**
   * Behind the SDK's own retries: each of them is a call.
   *
   * @returns what ends it
   */
  watch(client: WatchedClient): () => void {
    client.middlewareStack.add(
      (next, context) => async (args) => {
        const operation = (context.commandName ?? '').replace(/Command$/, '');
        const { input } = args as { input: unknown };
        try {
          const result = await next(args);
          this.add({ operation, input, output: (result as { output: unknown }).output });
          return result;
        } catch (error) {
          this.add({ operation, input, error });
          throw error;
        }
      },
      { name: middlewareName, step: 'finalizeRequest', priority: 'low' },
    );
    return () => void client.middlewareStack.remove(middlewareName);
  }

  /** The calls that were made meanwhile. */
  async during(work: () => Promise<void>): Promise<readonly MeteredCall[]> {
    const first = this.#calls.length;
    await work();
    return this.#calls.slice(first);
  }

  add(call: Call): void {
    this.#calls.push({ ...call, ...this.#price(call) });
  }

  #price(call: Call): Pick<MeteredCall, 'units' | 'source'> {
    if (call.error !== undefined) return this.#leaveUnpriced(call);
    const computed = computeUnits(call, this.#sizes);
    if (wronglyReported.includes(call.operation)) return { units: computed ?? noUnits, source: 'computed' };
    const reported = reportedUnits(call);
    if (reported === undefined) return this.#withoutReport(call, computed);
    if (computed && (computed.rcu !== reported.rcu || computed.wcu !== reported.wcu)) {
      this.doubts.push(
        `${call.operation} reports ${JSON.stringify(reported)}, the rules give ${JSON.stringify(computed)}`,
      );
    }
    return { units: reported, source: 'reported' };
  }

  /** SQS takes no units; a call to DynamoDB has to ask what it consumed. */
  #withoutReport({ operation }: Call, computed: Units | undefined): Pick<MeteredCall, 'units' | 'source'> {
    if (sqsOperations.includes(operation)) return { units: noUnits, source: 'none' };
    this.doubts.push(`${operation} did not ask for its consumed capacity`);
    return { units: computed ?? noUnits, source: 'computed' };
  }

  /** A request that did not get through takes nothing; one that was refused does, but no contender should meet a refusal. */
  #leaveUnpriced({ operation, error }: Call): Pick<MeteredCall, 'units' | 'source'> {
    const { name } = error as Error;
    if (refusals.includes(name)) this.doubts.push(`${operation} was refused (${name}), and not priced`);
    return { units: noUnits, source: 'none' };
  }
}

function reportedUnits({ operation, output }: Call): Units | undefined {
  const consumed: ConsumedCapacity | readonly ConsumedCapacity[] | undefined = output?.ConsumedCapacity;
  if (consumed === undefined) return undefined;
  const units = [consumed].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  return readOperations.includes(operation) ? { rcu: units, wcu: 0 } : { rcu: 0, wcu: units };
}
