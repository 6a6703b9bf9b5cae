import { defineSaga } from 'sagabox';
import * as z from 'zod';

/** The stock of one article. Every reservation of it meets this saga. */
export const stockSaga = defineSaga({
  name: 'Stock',
  messages: { Reserved: z.object({ article: z.string(), count: z.number() }) },
  correlate: { Reserved: (body) => body.article },
  startedBy: ['Reserved'],
  initialState: () => ({ reserved: 0 }),
  handlers: {
    Reserved({ body }, { saga }) {
      saga.state.reserved += body.count;
    },
  },
});
