import type { Random } from '../../support/random.ts';
import type { RoundOptions } from '../options.ts';
import { type Booking, type Closing, type Inquiry, messageTypes } from './account-saga.ts';
import type { Sends } from './entry.ts';
import { changesForm, isEverEmbedded, type Mode, modes } from './modes.ts';
import { noticeTypes } from './notices.ts';
import { type PlannedRequest, requestTypes } from './request.ts';

export interface PlannedMessage<Body> {
  readonly id: string;
  readonly type: string;
  readonly body: Body;
  /** `sentTwice`: as two SQS messages with one id; `redelivered`: by SQS, after it was handled. */
  readonly duplicate: 'no' | 'sentTwice' | 'redelivered';
}

/** Messages of a round, some of which come twice. */
export class MessagePlanner {
  readonly #options: RoundOptions;
  readonly #round: string;
  readonly #random: Random;

  constructor(options: RoundOptions, round: string, random: Random) {
    this.#options = options;
    this.#round = round;
    this.#random = random;
  }

  accountName(account: number): string {
    return `${this.#round}-${account}`;
  }

  changesForm(account: number): boolean {
    return changesForm(this.#modeOf(account));
  }

  booking(
    account: number,
    number: number,
    rest: Omit<Booking, 'account' | 'number' | 'isMarked'>,
  ): PlannedMessage<Booking> {
    const isMarked = this.#isMarked(account, Math.floor(number / this.#options.sagas));
    const body = { account: this.accountName(account), number, isMarked, ...rest };
    return this.#message(number, messageTypes.booking(this.#modeOf(account)), body);
  }

  inquiry(account: number, number: number, sends: Sends): PlannedMessage<Inquiry> {
    const body = { account: this.accountName(account), ...sends };
    return this.#message(number, messageTypes.inquiry(this.#modeOf(account)), body);
  }

  notice(kind: keyof typeof noticeTypes, number: number, sends: Sends): PlannedMessage<Sends> {
    return this.#message(number, noticeTypes[kind], sends);
  }

  request(
    kind: keyof typeof requestTypes,
    number: number,
    body: PlannedRequest,
  ): PlannedMessage<PlannedRequest> {
    return this.#message(number, requestTypes[kind], body);
  }

  /** @param life of the account, the first one is 0 */
  closing(account: number, life: number): PlannedMessage<Closing> {
    const body = { account: this.accountName(account), isMarked: this.#isMarked(account, life) };
    return this.#message(`closing-${account}-${life}`, messageTypes.closing(this.#modeOf(account)), body);
  }

  #message<Body>(name: number | string, type: string, body: Body): PlannedMessage<Body> {
    const isDuplicate = this.#random.below(100) < this.#options.duplicatesPercent;
    const duplicate = isDuplicate ? this.#random.pick(['sentTwice', 'redelivered'] as const) : 'no';
    return { id: `${this.#round}-${name}`, type, body, duplicate };
  }

  /** @param count of the messages of its kind and account that come before */
  #isMarked(account: number, count: number): boolean {
    return !isEverEmbedded(this.#modeOf(account)) || count % 2 === 0;
  }

  #modeOf(account: number): Mode {
    const { mode } = this.#options;
    if (mode !== 'mixed') return mode;
    // One further in each round of them: every other account is closed, and is to be of each mode.
    const place = account + Math.floor(account / modes.length);
    return modes[place % modes.length] ?? 'optimistic';
  }
}
