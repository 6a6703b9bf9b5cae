import { expect, it } from '@jest/globals';
import { defineSaga } from 'sagabox';
import * as v from 'valibot';
import { embeddedOutbox } from '../../../lib/compose/embedded-outbox/embedded-outbox.ts';
import { sagaboxErrorOf } from '../../support/error-of.ts';

const poll = v.object({ poll: v.string() });
const byPoll = (body: { poll: string }) => body.poll;

function define(settings: object) {
  return defineSaga({
    name: 'Poll',
    messages: { Opened: poll, Voted: poll, Counted: poll },
    correlate: { Opened: byPoll, Voted: byPoll, Counted: byPoll },
    startedBy: ['Opened'],
    initialState: () => ({}),
    handlers: { Opened() {}, Voted() {}, Counted() {} },
    ...settings,
  });
}

it('are those that the definition names', () => {
  const { appendedBy, collectedBy } = define({ appendedBy: ['Voted'], collectedBy: ['Counted', 'Opened'] });
  expect([[...(appendedBy ?? [])], [...(collectedBy ?? [])]]).toEqual([['Voted'], ['Counted', 'Opened']]);
  expect(define({})).not.toHaveProperty('appendedBy');
});

it.each([
  [{ outbox: embeddedOutbox(), appendedBy: ['Voted'] }, 'appendedBy', /has an embedded outbox/],
  [
    { outbox: embeddedOutbox({ withRecords: true }), collectedBy: ['Voted'] },
    'collectedBy',
    /has an embedded outbox/,
  ],
  [{ appendedBy: ['Opened'] }, 'appendedBy', /Opened is in 'startedBy' too/],
  [{ appendedBy: ['Voted'], collectedBy: ['Voted'] }, 'appendedBy', /Voted is in 'collectedBy' too/],
  [{ appendedBy: ['Seen'] }, 'appendedBy', /Seen is not in 'messages'/],
  [{ collectedBy: ['Seen'] }, 'collectedBy', /Seen is not in 'messages'/],
  [{ appendedBy: [] }, 'appendedBy', /names no message type/],
  [{ appendedBy: 'Voted' }, 'appendedBy', /names no message type/],
])('are refused as %j', async (settings, setting, problem) => {
  const error = await sagaboxErrorOf(Promise.resolve().then(() => define(settings)));
  expect(error).toMatchObject({ code: 'Configuration', facts: { setting: `defineSaga 'Poll': ${setting}` } });
  expect(error.message).toMatch(problem);
});
