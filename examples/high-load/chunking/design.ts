import { type Design, messagesTo, onePhase, type Variant } from '../measure/design.ts';
import { peopleHandlers, surveyOf } from './survey.ts';

const chunk = 12;

function variant(label: string, width: number): Variant {
  return {
    label,
    endpoints: () => ({
      surveys: { definitions: surveyOf(width).saga, maxConcurrency: 8, batchSize: 1 },
      people: { definitions: peopleHandlers, maxConcurrency: 8 },
    }),
    sinks: ['results'],
    phases(messages) {
      const requests = Array.from({ length: messages }, (_, person) => ({ person }));
      const start = messagesTo('surveys', 'SurveyStart', 1, () => ({ id: 'survey-1', requests }));
      const subSagas = messages > width ? Math.ceil(messages / width) : 0;
      // The start, a request and an answer for each, and the start and the report of each sub-saga.
      return onePhase(start, 1 + 2 * messages + 2 * subSagas);
    },
    outcome: (stored) => stored.bodiesIn('results'),
  };
}

export const chunking: Design = {
  title: 'Chunking with sub-sagas',
  when: 'one saga awaits many replies',
  notWhen:
    'replies arrive in batches: those of one saga in a batch are committed together, without more messages',
  messages: { full: 128, short: 2 * chunk },
  expected: (messages) => [
    { id: 'survey-1', outcome: 'complete', requests: messages, missing: [], result: { yes: messages / 2 } },
  ],
  before: variant('one saga', 1000),
  after: variant(`a sub-saga for up to ${chunk} replies`, chunk),
};
