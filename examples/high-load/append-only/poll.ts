import { defineSaga } from 'sagabox';
import * as z from 'zod';

const poll = z.object({ pollId: z.string() });
const messages = {
  PollOpened: poll,
  VoteCast: poll.extend({ choice: z.enum(['yes', 'no']) }),
  PollEnded: poll,
};
const correlate = {
  PollOpened: (body: z.infer<typeof poll>) => body.pollId,
  VoteCast: (body: z.infer<typeof poll>) => body.pollId,
  PollEnded: (body: z.infer<typeof poll>) => body.pollId,
};
const initialState = () => ({ votes: { yes: 0, no: 0 } });

/** Counts each vote as it comes: every vote writes the saga. */
export const tallySaga = defineSaga({
  name: 'TalliedPoll',
  messages,
  correlate,
  startedBy: ['PollOpened'],
  initialState,
  handlers: {
    PollOpened() {},
    VoteCast({ body }, { saga }) {
      saga.state.votes[body.choice] += 1;
    },
    PollEnded({ body }, { saga, send }) {
      send('results', 'PollCounted', { ...body, votes: saga.state.votes });
      saga.complete();
    },
  },
});

/** Appends each vote, and counts them at the end: no vote meets another one. */
export const appendedPollSaga = defineSaga({
  name: 'AppendedPoll',
  messages,
  correlate,
  startedBy: ['PollOpened'],
  appendedBy: ['VoteCast'],
  collectedBy: ['PollEnded'],
  initialState,
  handlers: {
    PollOpened() {},
    VoteCast({ body }, { saga }) {
      saga.append('votes', body.choice);
    },
    async PollEnded({ body }, { saga, send }) {
      const { values, hasMore } = await saga.collect<'yes' | 'no'>('votes');
      for (const choice of values) saga.state.votes[choice] += 1;
      if (hasMore) return;
      send('results', 'PollCounted', { ...body, votes: saga.state.votes });
      saga.complete();
    },
  },
});
