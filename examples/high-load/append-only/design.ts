import { type Design, messagesTo, type Phases } from '../measure/design.ts';
import { appendedPollSaga, tallySaga } from './poll.ts';

const pollId = 'poll-1';
/** What `collect` gives at a time. */
const valuesPerCommit = 90;

/** @param ends how many messages count the votes */
function phases(messages: number, ends: number): Phases {
  const one = (type: string) => messagesTo('polls', type, 1, () => ({ pollId }));
  const votes = messagesTo('polls', 'VoteCast', messages, (index) => ({
    pollId,
    choice: index % 2 === 0 ? 'yes' : 'no',
  }));
  return [
    { messages: one('PollOpened'), handled: 1 },
    { messages: votes, handled: messages },
    { messages: one('PollEnded'), handled: ends },
  ];
}

export const appendOnly: Design = {
  title: 'An append-only saga',
  when: 'messages only add to the saga',
  notWhen:
    'handlers need what the others did, or messages of one saga come one at a time: then a commit that writes the saga takes no more, and nothing is left to collect',
  messages: { full: 200, short: 8 },
  expected: (messages) => [{ pollId, votes: { yes: messages / 2, no: messages / 2 } }],
  before: {
    label: 'each vote writes the saga',
    endpoints: () => ({ polls: { definitions: tallySaga, maxConcurrency: 8, batchSize: 1 } }),
    sinks: ['results'],
    phases: (messages) => phases(messages, 1),
    outcome: (stored) => stored.bodiesIn('results'),
    timed: 'VoteCast',
  },
  after: {
    label: 'votes are appended, and collected at the end',
    endpoints: () => ({ polls: { definitions: appendedPollSaga, maxConcurrency: 8, batchSize: 1 } }),
    sinks: ['results'],
    phases: (messages) => phases(messages, Math.ceil(messages / valuesPerCommit)),
    outcome: (stored) => stored.bodiesIn('results'),
    timed: 'VoteCast',
  },
};
