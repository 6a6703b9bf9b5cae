import { type Design, messagesTo, type Phases } from '../measure/design.ts';
import { pollHandlers, pollSaga } from './poll.ts';
import { ShardedPollStore } from './poll-store.ts';

const pollId = 'best-film';

function phases(messages: number): Phases {
  const ofPoll = (type: string, count: number) => messagesTo('polls', type, count, () => ({ pollId }));
  return [
    { messages: ofPoll('VoteCast', messages), handled: messages },
    { messages: ofPoll('PollEnded', 1), handled: 1 },
  ];
}

export const customStore: Design = {
  title: 'A store of your own',
  notWhen:
    'a message must decide on the state, or a timeout, a completion or the migration of states is needed.',
  messages: { full: 200, short: 6 },
  expected: (messages) => [{ pollId, votes: messages }],
  before: {
    label: 'a saga',
    endpoints: () => ({ polls: { definitions: pollSaga, maxConcurrency: 8, batchSize: 1 } }),
    sinks: ['results'],
    phases,
    outcome: (stored) => stored.bodiesIn('results'),
    timed: 'VoteCast',
  },
  after: {
    label: 'counters in 16 items',
    endpoints: ({ dynamoDBClient, dataTable }) => ({
      polls: {
        definitions: pollHandlers(new ShardedPollStore(dynamoDBClient, dataTable)),
        maxConcurrency: 8,
        batchSize: 1,
      },
    }),
    sinks: ['results'],
    phases,
    outcome: (stored) => stored.bodiesIn('results'),
    timed: 'VoteCast',
  },
};
