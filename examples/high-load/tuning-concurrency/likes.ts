import { defineSaga } from 'sagabox';
import * as z from 'zod';

/** A post that many people like at the same time. */
export const postSaga = defineSaga({
  name: 'Post',
  messages: { Liked: z.object({ postId: z.string() }) },
  correlate: { Liked: (body) => body.postId },
  startedBy: ['Liked'],
  initialState: () => ({ likes: 0 }),
  handlers: {
    Liked(_message, { saga }) {
      saga.state.likes += 1;
    },
  },
});
