import { describe, expect, it } from '@jest/globals';
import { defineSaga } from 'sagabox';
import { testSaga } from 'sagabox/testing';
import { z } from 'zod';

const rich = defineSaga({
  name: 'Rich',
  messages: { Begin: z.object({ id: z.string(), lines: z.array(z.string()) }) },
  correlate: { Begin: (body) => body.id },
  startedBy: ['Begin'],
  initialState: () => ({ lines: [] as string[], tags: new Set(['a']), bytes: Uint8Array.of(1, 2) }),
  handlers: {
    Begin({ body }, { saga, send }) {
      saga.state.lines.push(...body.lines);
      saga.state.tags.add('b');
      send('mail', 'Begun', { lines: body.lines });
    },
  },
});

/**
 * Test runners evaluate modules in a realm of their own; what comes from elsewhere is equal, but not strictly
 * so.
 */
describe('what the test kit hands out', () => {
  it('is strictly equal to what a test writes', async () => {
    const saga = testSaga(rich);
    await saga.deliver('Begin', { id: '1', lines: ['x'] });
    await saga.deliver('Begin', { id: '1', lines: ['y'] });
    expect(saga.state('1')).toStrictEqual({
      lines: ['x', 'y'],
      tags: new Set(['a', 'b']),
      bytes: Uint8Array.of(1, 2),
    });
    expect(saga.outgoing.map(({ body }) => body)).toStrictEqual([{ lines: ['x'] }, { lines: ['y'] }]);
  });
});
