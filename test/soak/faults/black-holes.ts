import { setTimeout as delay } from 'node:timers/promises';
import { settleAll } from '../../../lib/kernel/async/settle.ts';
import type { Engines } from '../../support/own-engines/engines.ts';
import { Random } from '../../support/random.ts';
import { Journal } from '../fleet/journal.ts';
import type { Service } from './service-failures.ts';
import { ServiceProxy, type Silence } from './service-proxy.ts';

/** When services give no answer to functions, for a while. */
export interface BlackHoleTimes {
  readonly durationMs: number;
  /** From, and up to, between the end of one and the begin of the next. */
  readonly betweenMs: readonly [number, number];
}

export interface BlackHolesOptions {
  readonly engines: Pick<Engines, 'dynamoDBEndpoint' | 'sqsEndpoint'>;
  readonly seed: number;
  readonly journalFile: string;
  /** Called when one begins, with the services that it concerns. */
  readonly onBlackHole: (services: string) => void;
  readonly onSilence: (service: Service, silence: Silence) => void;
}

const inTurn: readonly (readonly Service[])[] = [['SQS'], ['DynamoDB'], ['SQS', 'DynamoDB']];

/** Proxies in front of both services, that fall silent in turn: SQS, DynamoDB, both. */
export class BlackHoles {
  readonly #options: BlackHolesOptions;
  readonly #proxies: Readonly<Record<Service, ServiceProxy>>;
  readonly #journal: Journal;
  #begun = 0;

  constructor(options: BlackHolesOptions) {
    this.#options = options;
    this.#journal = new Journal(options.journalFile);
    const { engines, seed, onSilence } = options;
    const random = new Random(seed);
    const proxy = (service: Service, endpoint: string) =>
      new ServiceProxy({ endpoint, random, onSilence: (silence) => onSilence(service, silence) });
    this.#proxies = {
      DynamoDB: proxy('DynamoDB', engines.dynamoDBEndpoint),
      SQS: proxy('SQS', engines.sqsEndpoint),
    };
  }

  get endpoints(): Pick<Engines, 'dynamoDBEndpoint' | 'sqsEndpoint'> {
    const { DynamoDB, SQS } = this.#proxies;
    return { dynamoDBEndpoint: DynamoDB.endpoint, sqsEndpoint: SQS.endpoint };
  }

  get isOn(): boolean {
    return Object.values(this.#proxies).some(({ isSilent }) => isSilent);
  }

  async start(): Promise<void> {
    await Promise.all(Object.values(this.#proxies).map((proxy) => proxy.start()));
  }

  async stop(): Promise<void> {
    await settleAll(Object.values(this.#proxies).map((proxy) => proxy.stop()));
    this.#journal.close();
  }

  /** Lets the services whose turn it is be silent for so long, or until the signal. */
  async open(durationMs: number, signal: AbortSignal): Promise<void> {
    const services = inTurn[this.#begun++ % inTurn.length] ?? [];
    const names = services.join(' and ');
    this.#options.onBlackHole(names);
    this.#journal.note(`no answer of ${names} from now on`);
    for (const service of services) this.#proxies[service].isSilent = true;
    await delay(durationMs, undefined, { signal }).catch(() => undefined);
    for (const service of services) this.#proxies[service].isSilent = false;
    this.#journal.note(`${names} answer again`);
  }
}

/** Gone when the work is over. */
export async function withBlackHoles<T>(
  options: BlackHolesOptions,
  work: (blackHoles: BlackHoles) => Promise<T>,
): Promise<T> {
  const blackHoles = new BlackHoles(options);
  try {
    await blackHoles.start();
    return await work(blackHoles);
  } finally {
    await blackHoles.stop();
  }
}
