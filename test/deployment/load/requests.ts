import { setTimeout as delay } from 'node:timers/promises';

/** What a client got for a request. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** Sends the request that places an order, under an idempotency key, with what else its body is to hold. */
export type PlaceByHttp = (key: string, orderId: string, extras?: object) => Promise<HttpAnswer>;

/** They lead to functions of one endpoint, so that a key is the same by each of them. */
export const waysByHttp = ['api', 'url'] as const;
export type WayByHttp = (typeof waysByHttp)[number];

interface RequestOptions {
  readonly ways?: readonly WayByHttp[];
  /** Of each request, before it is left alone. A function that was killed answers again at once. */
  readonly attempts?: number;
}

const created = 201;
const pauseMs = 200;
/** Orders whose requests are on their way at a time. */
const ordersAtOnce = 4;

/**
 * Places orders as clients do that lose answers: under one key twice at once, and when both were answered twice at
 * once again. A request that is answered by an error of the server, as from a function that died, is repeated.
 */
export class Requests {
  /** Those that were answered by an error of the server. */
  failed = 0;
  /** Those that were answered as they should be. */
  answered = 0;
  /** Of what a client must not see, in words. */
  readonly complaints: string[] = [];
  readonly #ways: Readonly<Record<WayByHttp, PlaceByHttp>>;

  constructor(ways: Readonly<Record<WayByHttp, PlaceByHttp>>) {
    this.#ways = ways;
  }

  async place(orderIds: readonly string[], options: RequestOptions): Promise<void> {
    for (let start = 0; start < orderIds.length; start += ordersAtOnce)
      await Promise.all(orderIds.slice(start, start + ordersAtOnce).map((id) => this.#placeOne(id, options)));
  }

  async #placeOne(orderId: string, { ways = waysByHttp, attempts = 20 }: RequestOptions): Promise<void> {
    const twiceAtOnce = () =>
      Promise.all(
        [ways[0], ways.at(-1)].map((way) => this.#untilAnswered(way as WayByHttp, orderId, attempts)),
      );
    const answers = [...(await twiceAtOnce()), ...(await twiceAtOnce())];
    const bodies = new Set(answers.flatMap((answer) => (answer === undefined ? [] : answer.body)));
    if (bodies.size > 1) this.complaints.push(`${bodies.size} answers to the requests of ${orderId}`);
    for (const body of bodies) {
      if ((JSON.parse(body) as { orderId?: string }).orderId !== orderId)
        this.complaints.push(`a wrong answer to a request of ${orderId}: ${body.slice(0, 200)}`);
    }
  }

  async #untilAnswered(way: WayByHttp, orderId: string, attempts: number): Promise<HttpAnswer | undefined> {
    const send = () => this.#ways[way](`key of ${orderId}`, orderId);
    let answer = await send();
    for (let attempt = 1; answer.status >= 500 && attempt < attempts; attempt += 1) {
      this.failed += 1;
      await delay(pauseMs);
      answer = await send();
    }
    if (answer.status === created) {
      this.answered += 1;
      return answer;
    }
    this.complaints.push(`a request of ${orderId} ended with ${answer.status}: ${answer.body.slice(0, 200)}`);
    return undefined;
  }
}
