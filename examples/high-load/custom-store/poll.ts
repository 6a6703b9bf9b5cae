import { defineSaga } from 'sagabox';
import * as z from 'zod';

const poll = z.object({ pollId: z.string() });

/** The same saga before and after: it does not know its store. */
export const pollSaga = defineSaga({
  name: 'Poll',
  messages: { VoteCast: poll, VotesAsked: poll },
  correlate: { VoteCast: (body) => body.pollId, VotesAsked: (body) => body.pollId },
  startedBy: ['VoteCast'],
  initialState: () => ({ votes: 0 }),
  handlers: {
    VoteCast(_message, { saga }) {
      saga.state.votes += 1;
    },
    VotesAsked({ body }, { saga, send }) {
      send('results', 'PollCounted', { ...body, votes: saga.state.votes });
    },
  },
});
