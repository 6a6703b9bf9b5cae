import { type Design, messagesTo, type Phases, type Stored } from '../measure/design.ts';
import { applicationSaga, wholeApplicationSaga } from './application.ts';

const document = 'The text of an application. '.repeat(1000);
/** One that brings the document, and nine checks. */
const messagesPerApplication = 10;

function phases(messages: number): Phases {
  const applications = Math.ceil(messages / messagesPerApplication);
  const applicationId = (index: number) => `application-${index % applications}`;
  const received = messagesTo('applications', 'ApplicationReceived', applications, (index) => ({
    applicationId: applicationId(index),
    document,
  }));
  const checks = applications * (messagesPerApplication - 1);
  const checked = messagesTo('applications', 'Checked', checks, (index) => ({
    applicationId: applicationId(index),
    check: `check-${index}`,
  }));
  return [
    { messages: received, handled: received.length },
    { messages: checked, handled: checked.length },
  ];
}

async function outcome(stored: Stored) {
  const archived = await stored.bodiesIn('archive');
  return { archived: archived.length, documentsLeft: (await stored.dataItems()).length };
}

export const smallState: Design = {
  title: 'Small state, and a claim for the rest',
  when: 'the state is large',
  notWhen: 'most handlers need the payload, or it is under 1 KB: `state: { compress: true }` is simpler',
  messages: { full: 160, short: 10 },
  expected: (messages) => ({ archived: Math.ceil(messages / messagesPerApplication), documentsLeft: 0 }),
  before: {
    label: '28 KB in the state',
    endpoints: () => ({
      applications: { definitions: wholeApplicationSaga, maxConcurrency: 4, batchSize: 1 },
    }),
    sinks: ['archive'],
    phases,
    outcome,
  },
  after: {
    label: 'the key of an item in the state',
    endpoints: ({ dataTable }) => ({
      applications: { definitions: applicationSaga(dataTable), maxConcurrency: 4, batchSize: 1 },
    }),
    sinks: ['archive'],
    phases,
    outcome,
  },
};
