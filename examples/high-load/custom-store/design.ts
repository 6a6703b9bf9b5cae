import { type Design, messagesTo, onePhase } from '../measure/design.ts';
import { pollHandlers, pollSaga } from './poll.ts';

const phases = (messages: number) =>
  onePhase(messagesTo('polls', 'VoteCast', messages, () => ({ pollId: 'best-film' })));

export const customStore: Design = {
  title: 'A store of your own',
  notWhen:
    'a message must decide on the state, or a timeout, a completion or the migration of states is needed.',
  messages: { full: 200, short: 6 },
  expected: (messages) => ({ votes: messages }),
  before: {
    label: 'a saga',
    endpoints: () => ({ polls: { definitions: pollSaga, maxConcurrency: 8, batchSize: 1 } }),
    phases,
    outcome: (stored) => stored.sagaState('Poll', 'best-film'),
  },
  after: {
    label: 'counters in 16 items',
    endpoints: ({ dataTable }) => ({
      polls: { definitions: pollHandlers(dataTable), maxConcurrency: 8, batchSize: 1 },
    }),
    phases,
    async outcome(stored) {
      const items = await stored.dataItems();
      return { votes: items.reduce((sum, { votes }) => sum + Number(votes), 0) };
    },
  },
};
