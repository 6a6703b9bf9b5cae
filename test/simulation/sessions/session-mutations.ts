import type { Change } from '../mutation.ts';
import type { SessionInvariant } from './session-world.ts';

export interface SessionMutation extends Change {
  readonly name: string;
  /** Which of them the simulation may see broken first. */
  readonly breaks: readonly SessionInvariant[];
  /** What has to be changed too, as either suffices. */
  readonly also?: Change;
}

const commit = 'lib/session/line/commit-session.ts';
const open = 'lib/session/line/open-request.ts';
const replay = 'lib/session/line/replay.ts';
const session = 'lib/session/line/session.ts';

/** In how sessions find, lease, commit and answer their requests. */
export const sessionMutations: readonly SessionMutation[] = [
  {
    name: 'a request is handled without a dedup check',
    file: session,
    piece: 'this.#attempt.request.isRepeatable ? await openRequest(this.#attempt) : undefined',
    becomes: 'undefined',
    breaks: ['I2', 'exclusive', 'answer'],
  },
  {
    name: 'an error leaves without another look at the record',
    file: session,
    piece: 'if (!this.#attempt.request.isRepeatable || isReuse(error)) return undefined;',
    becomes: 'if (error) return undefined;',
    breaks: ['answer'],
  },
  {
    name: 'the slower one of two answers with its own response',
    file: commit,
    piece: 'if (request.isRepeatable && record !== outbox)',
    becomes: 'if (false)',
    breaks: ['answer', 'I3'],
  },
  {
    name: 'a refused commit is taken for done',
    file: commit,
    piece: 'if (!isRetryable(reason)) throw reason;',
    becomes: 'return outbox;',
    breaks: ['answer', 'I3'],
  },
  {
    name: 'a response with status 500 is committed',
    file: commit,
    piece: 'statusCode !== undefined && !rules.commitsStatus(statusCode)',
    becomes: 'false',
    breaks: ['answer'],
  },
  {
    name: 'another request under the key gets the response',
    file: replay,
    piece: 'differenceOf(record.fingerprint, attempt.fingerprint) !== undefined',
    becomes: 'false',
    breaks: ['answer'],
  },
  {
    name: 'a repeated request does not send what is left',
    file: session,
    piece: 'return record && (await replay(this.#attempt, record, true));',
    becomes: 'return record && (await replay(this.#attempt, record, false));',
    breaks: ['rest', 'I3'],
  },
  {
    name: 'an exclusive session runs without its lease',
    file: open,
    piece: "if (result.outcome === 'acquired') return undefined;",
    becomes: "if (result.outcome !== 'stored') return undefined;",
    breaks: ['exclusive'],
  },
  {
    name: 'a failed session keeps its lease',
    file: open,
    piece: 'if (!exclusive) return;',
    becomes: 'if (exclusive || !exclusive) return;',
    breaks: ['answer'],
  },
  {
    name: 'a late answer to the commit starts the dispatch after the response',
    file: commit,
    piece: 'delivery.assertOngoing();\n    if (stored',
    becomes: 'if (stored',
    breaks: ['I6'],
  },
  {
    name: 'a commit is started when the time is up',
    file: session,
    piece: "async () => this.#delivery.end('acknowledged'),",
    becomes: 'async () => {},',
    also: {
      file: 'lib/attempt/invocation-deadline.ts',
      piece: 'if (this.remainingMs <= this.#margins.giveUpMs) throw this.#timeout(messageId);',
      becomes: '',
    },
    breaks: ['I7'],
  },
];
