import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import type { FoundItem } from './found-item.dynamodb.ts';
import type { UndispatchedSearch } from './undispatched-records.dynamodb.ts';

export interface SharedSearchOptions {
  /** Finds the records of all endpoints. */
  search: UndispatchedSearch;
  endpoints: readonly string[];
  /**
   * The most records of one endpoint that are found and not taken yet. Further ones are left for the next
   * run: the search neither waits for one endpoint, nor keeps all records that it finds.
   */
  maxWaiting?: number;
}

/** The records of one endpoint that are found and not taken yet. */
interface Share {
  readonly waiting: FoundItem[];
  /** Whether more of them were found than could wait. */
  hasLeftOver: boolean;
}

const DEFAULT_MAX_WAITING = 1_000;

/**
 * One search of one run for several endpoints. Each takes its own records; an endpoint without any waiting
 * advances the search, and its meter counts the read units.
 */
export class SharedSearch {
  readonly #options: SharedSearchOptions;
  readonly #shares: ReadonlyMap<string, Share>;
  readonly #unknown = new Map<string, number>();
  #found: AsyncIterator<FoundItem> | undefined;
  /** The step that is under way, or the last one. */
  #step: Promise<'found' | 'ended'> | undefined;

  constructor(options: SharedSearchOptions) {
    this.#options = options;
    const noShare = () => ({ waiting: [], hasLeftOver: false });
    this.#shares = new Map(options.endpoints.map((endpoint) => [endpoint, noShare()]));
  }

  /** The number of records found of each endpoint that the search is not for; they are left alone. */
  get unknown(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#unknown);
  }

  /** Whether records of the endpoint were found that this run does not take. */
  hasLeftOver(endpoint: string): boolean {
    return this.#shareOf(endpoint).hasLeftOver;
  }

  /** @param endpoint one of the endpoints that the search is for */
  searchOf(endpoint: string): UndispatchedSearch {
    const share = this.#shareOf(endpoint);
    const advance: typeof this.advance = (...terms) => this.advance(...terms);
    return async function* (...terms) {
      do {
        for (let item = share.waiting.shift(); item !== undefined; item = share.waiting.shift()) {
          yield item;
        }
      } while ((await advance(...terms)) === 'found' || share.waiting.length > 0);
    };
  }

  /** Searches until one more record is found; callers that come meanwhile await the same step. */
  advance(...terms: Parameters<UndispatchedSearch>): Promise<'found' | 'ended'> {
    this.#step ??= this.#findNext(...terms).then((outcome) => {
      if (outcome === 'found') this.#step = undefined;
      return outcome;
    });
    return this.#step;
  }

  async #findNext(
    storedBefore: Date,
    meter: CapacityMeter,
    signal: AbortSignal | undefined,
  ): Promise<'found' | 'ended'> {
    this.#found ??= this.#options.search(storedBefore, meter, signal)[Symbol.asyncIterator]();
    const next = await this.#found.next();
    if (next.done) return 'ended';
    this.#assign(next.value);
    return 'found';
  }

  #assign(item: FoundItem): void {
    const { maxWaiting = DEFAULT_MAX_WAITING } = this.#options;
    const { endpoint } = item;
    const share = this.#shares.get(endpoint);
    if (share === undefined) {
      this.#unknown.set(endpoint, (this.#unknown.get(endpoint) ?? 0) + 1);
      return;
    }
    if (share.waiting.length < maxWaiting) share.waiting.push(item);
    else share.hasLeftOver = true;
  }

  #shareOf(endpoint: string): Share {
    const share = this.#shares.get(endpoint);
    if (share === undefined) throw new Error(`The search is not for '${endpoint}'`);
    return share;
  }
}
