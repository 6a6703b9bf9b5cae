import * as v from 'valibot';
import { defineSaga } from '../../../lib/saga/definition/define-saga.ts';

/** One value that a message appends. */
export interface Vote {
  readonly id: string;
  /** Of the saga that the handler was given. */
  readonly life: string;
}

export interface PollState {
  /** The message that started it. */
  life: string;
  collected: string[];
}

/** What a handler is told to do, and tells of what it was given. */
export interface PollHooks {
  pause(): Promise<void>;
  /** @returns what to call with what `collect` returned */
  collecting(
    messageId: string,
    life: string,
    atLeast: number,
  ): (found: readonly Vote[] | undefined, hasMore: boolean) => void;
}

const poll = v.object({ poll: v.string() });
const byPoll = (body: { poll: string }) => body.poll;

export function pollSaga(hooks: PollHooks) {
  return defineSaga({
    name: 'Poll',
    messages: {
      Opened: poll,
      Voted: v.object({ poll: v.string(), votes: v.number() }),
      Counted: v.object({ poll: v.string(), atLeast: v.number() }),
      Closed: poll,
    },
    correlate: { Opened: byPoll, Voted: byPoll, Counted: byPoll, Closed: byPoll },
    startedBy: ['Opened'],
    appendedBy: ['Voted'],
    collectedBy: ['Counted'],
    initialState: (): PollState => ({ life: '', collected: [] }),
    handlers: {
      async Opened({ id }, { saga }) {
        await hooks.pause();
        if (saga.isNew) saga.state.life = id;
      },
      async Voted({ id, body }, { saga }) {
        const { life } = saga.state;
        for (let vote = 0; vote < body.votes; vote += 1)
          saga.append('votes', { id: `${id}.${vote}`, life } satisfies Vote);
        await hooks.pause();
      },
      async Counted({ id, body }, { saga }) {
        const { life } = saga.state;
        const collected = hooks.collecting(id, life, body.atLeast);
        const votes = await saga.collect<Vote>('votes', { atLeast: body.atLeast });
        collected(votes?.values, votes?.hasMore === true);
        saga.state.collected.push(...(votes?.values ?? []).map((vote) => vote.id));
        await hooks.pause();
      },
      async Closed(_message, { saga }) {
        await hooks.pause();
        saga.complete();
      },
    },
  });
}
