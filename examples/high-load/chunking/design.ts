import { type Design, messagesTo, onePhase } from '../measure/design.ts';
import { chunkedSurveySaga, people, surveyChunkSaga, surveySaga } from './survey.ts';

const peopleEndpoint = { definitions: people, maxConcurrency: 8 } as const;
const start = (messages: number) =>
  messagesTo('surveys', 'SurveyStarted', 1, () => ({ surveyId: 'survey-1', people: messages }));

export const chunking: Design = {
  title: 'Chunking with sub-sagas',
  notWhen:
    'replies arrive in batches: those of one saga in a batch are committed together, without more messages.',
  messages: { full: 128, short: 8 },
  expected: (messages) => [{ surveyId: 'survey-1', yes: messages / 2 }],
  before: {
    label: 'one saga',
    endpoints: () => ({
      surveys: { definitions: surveySaga, maxConcurrency: 8, batchSize: 1 },
      people: peopleEndpoint,
    }),
    sinks: ['results'],
    // The start, and a request and a reply for each.
    phases: (messages) => onePhase(start(messages), 1 + 2 * messages),
    outcome: (stored) => stored.bodiesIn('results'),
  },
  after: {
    label: 'a sub-saga for 8 replies',
    endpoints: () => ({
      surveys: { definitions: [chunkedSurveySaga, surveyChunkSaga], maxConcurrency: 8, batchSize: 1 },
      people: peopleEndpoint,
    }),
    sinks: ['results'],
    // The start and the reply of each chunk besides.
    phases: (messages) => onePhase(start(messages), 1 + 2 * messages + 2 * Math.ceil(messages / 8)),
    outcome: (stored) => stored.bodiesIn('results'),
  },
};
