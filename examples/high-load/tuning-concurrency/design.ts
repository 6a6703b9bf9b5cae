import { type Design, messagesTo, onePhase, type Variant } from '../measure/design.ts';
import { postSaga } from './likes.ts';

const work: Pick<Variant, 'phases' | 'outcome'> = {
  phases: (messages) => onePhase(messagesTo('posts', 'Liked', messages, () => ({ postId: 'post-1' }))),
  outcome: (stored) => stored.sagaState('Post', 'post-1'),
};

export const tuningConcurrency: Design = {
  title: 'Maximum concurrency and batch size',
  when: 'many messages of a saga wait in the queue',
  notWhen: 'the messages belong to many sagas: fewer instances then only make the queue longer',
  messages: { full: 200, short: 6 },
  expected: (messages) => ({ likes: messages }),
  before: {
    label: '16 instances, batches of 1',
    endpoints: () => ({ posts: { definitions: postSaga, maxConcurrency: 16, batchSize: 1 } }),
    ...work,
  },
  after: {
    label: '2 instances, batches of 10',
    endpoints: () => ({ posts: { definitions: postSaga, maxConcurrency: 2, batchSize: 10 } }),
    ...work,
  },
};
