import { setTimeout as delay } from 'node:timers/promises';

/** What a client got for a request. */
export interface HttpAnswer {
  readonly status: number;
  /** Those of the handler: what the platform adds, such as the date, differs with each answer. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** The request that places an order, under an idempotency key. */
export interface PlaceRequest {
  readonly key: string;
  readonly orderId: string;
  /** Whether the body asks for pages, too. */
  readonly pages?: boolean;
  /** Whether its session is an exclusive one. */
  readonly exclusive?: boolean;
}

export type PlaceByHttp = (request: PlaceRequest) => Promise<HttpAnswer>;

/** They lead to functions of one endpoint, so that a key is the same by each of them. */
export const waysByHttp = ['api', 'url'] as const;
export type WayByHttp = (typeof waysByHttp)[number];

interface RequestOptions {
  readonly ways?: readonly WayByHttp[];
  /** Of each request, before it is left alone. A function that was killed answers again at once. */
  readonly attempts?: number;
}

const created = 201;
/** Another request with the key is at work. */
const inProgress = 409;
const pauseMs = 200;
/**
 * Of two requests at once and the two behind them, which are exclusive: one of each two, or the first two. Each
 * function then runs sessions of both kinds for each order.
 */
const exclusivity = [
  [
    [false, true],
    [true, false],
  ],
  [
    [true, true],
    [false, false],
  ],
] as const;
/** Orders whose requests are on their way at a time. */
const ordersAtOnce = 4;

/**
 * Places orders as clients do that lose answers: under one key twice at once, and when both were answered twice at
 * once again. A request that is answered by an error of the server, as from a function that died, is repeated, and
 * so is one that is told that another one is at work.
 */
export class Requests {
  /** Those that were answered by an error of the server. */
  failed = 0;
  /** Those that another one was at. */
  tooEarly = 0;
  /** Those that were answered as they should be. */
  answered = 0;
  /** Of what a client must not see, in words. */
  readonly complaints: string[] = [];
  #placed = 0;
  readonly #ways: Readonly<Record<WayByHttp, PlaceByHttp>>;

  constructor(ways: Readonly<Record<WayByHttp, PlaceByHttp>>) {
    this.#ways = ways;
  }

  async place(orderIds: readonly string[], options: RequestOptions): Promise<void> {
    for (let start = 0; start < orderIds.length; start += ordersAtOnce)
      await Promise.all(orderIds.slice(start, start + ordersAtOnce).map((id) => this.#placeOne(id, options)));
  }

  async #placeOne(orderId: string, { ways = waysByHttp, attempts = 20 }: RequestOptions): Promise<void> {
    const [first, second] = exclusivity[this.#placed++ % exclusivity.length] ?? exclusivity[0];
    const twiceAtOnce = (exclusive: readonly [boolean, boolean]) =>
      Promise.all(
        ([ways[0], ways.at(-1)] as readonly WayByHttp[]).map((way, index) => {
          const request = { key: `key of ${orderId}`, orderId, exclusive: exclusive[index] === true };
          return this.#untilAnswered(way, request, attempts);
        }),
      );
    const given = [...(await twiceAtOnce(first)), ...(await twiceAtOnce(second))];
    const answers = given.filter((answer) => answer !== undefined);
    const different = new Set(answers.map((answer) => JSON.stringify(answer))).size;
    if (different > 1) this.complaints.push(`${different} answers to the requests of ${orderId}`);
    for (const body of new Set(answers.map((answer) => answer.body))) {
      if ((JSON.parse(body) as { orderId?: string }).orderId !== orderId)
        this.complaints.push(`a wrong answer to a request of ${orderId}: ${body.slice(0, 200)}`);
    }
  }

  async #untilAnswered(
    way: WayByHttp,
    request: PlaceRequest,
    attempts: number,
  ): Promise<HttpAnswer | undefined> {
    const { orderId } = request;
    const send = () => this.#ways[way](request);
    let answer = await send();
    for (let attempt = 1; isToRepeat(answer) && attempt < attempts; attempt += 1) {
      if (answer.status === inProgress) this.tooEarly += 1;
      else this.failed += 1;
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

function isToRepeat({ status }: HttpAnswer): boolean {
  return status >= 500 || status === inProgress;
}

/** As each client sends a request. A header tells which function is to handle it, as it is no part of the request. */
export function partsOf({ key, exclusive = false, ...order }: PlaceRequest) {
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': `"${key}"`,
    'x-exclusive': String(exclusive),
  };
  return { headers, body: JSON.stringify(order) };
}
