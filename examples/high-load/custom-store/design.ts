import { type Design, type Endpoint, messagesTo, type Phases } from '../measure/design.ts';
import { pollSaga } from './poll.ts';
import { shardedPolls } from './poll-store.ts';

const pollId = 'best-film';
const polls: Endpoint = { definitions: pollSaga, maxConcurrency: 8, batchSize: 1 };

function phases(messages: number): Phases {
  const ofPoll = (type: string, count: number) => messagesTo('polls', type, count, () => ({ pollId }));
  return [
    { messages: ofPoll('VoteCast', messages), handled: messages },
    { messages: ofPoll('VotesAsked', 1), handled: 1 },
  ];
}

export const customStore: Design = {
  title: 'A store of your own',
  when: 'messages only add to the saga, and others read the sum at any time',
  notWhen:
    'a message decides on what others did at the same time, or the saga ends: then its writes need conditions, and conflict as before',
  messages: { full: 200, short: 6 },
  expected: (messages) => [{ pollId, votes: messages }],
  before: {
    label: 'one item in the saga table',
    endpoints: () => ({ polls }),
    sinks: ['results'],
    phases,
    outcome: (stored) => stored.bodiesIn('results'),
    timed: 'VoteCast',
  },
  after: {
    label: 'counters in 16 items',
    endpoints: ({ dynamoDBClient, dataTable }) => ({
      polls: { ...polls, options: { sagaStore: shardedPolls(dynamoDBClient, dataTable) } },
    }),
    sinks: ['results'],
    phases,
    outcome: (stored) => stored.bodiesIn('results'),
    timed: 'VoteCast',
  },
};
