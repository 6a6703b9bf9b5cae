import { defineHandlers, defineSaga } from 'sagabox';
import * as z from 'zod';
import type { PollStore } from './poll-store.ts';

const poll = z.object({ pollId: z.string() });
const messages = { VoteCast: poll, PollEnded: poll };

/** Every vote reads and writes the state of its poll. */
export const pollSaga = defineSaga({
  name: 'Poll',
  messages,
  correlate: { VoteCast: (body) => body.pollId, PollEnded: (body) => body.pollId },
  startedBy: ['VoteCast'],
  initialState: () => ({ votes: 0 }),
  handlers: {
    VoteCast(_message, { saga }) {
      saga.state.votes += 1;
    },
    PollEnded({ body }, { saga, send }) {
      send('results', 'PollCounted', { ...body, votes: saga.state.votes });
      saga.complete();
    },
  },
});

/** The state is where the store has it, and changes in the transaction of the message's outbox record. */
export const pollHandlers = (store: PollStore) =>
  defineHandlers({
    messages,
    handlers: {
      VoteCast({ id, body }, { transaction }) {
        transaction.add(store.addVote(body.pollId, id));
      },
      async PollEnded({ body }, { send }) {
        send('results', 'PollCounted', { ...body, votes: await store.countVotes(body.pollId) });
      },
    },
  });
