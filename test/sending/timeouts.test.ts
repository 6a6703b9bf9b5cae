import { describe, expect, it } from '@jest/globals';
import { outgoingMessageId } from '../../lib/messages/message-id.ts';
import { SagaDraft } from '../../lib/saga/saga-draft.ts';
import type { PendingTimeout } from '../../lib/sending/pending-timeouts.ts';
import { refusalOf, refuses, unitOfWork } from './unit-of-work-of.ts';

const identity = { name: 'OrderSaga', id: '42' };
const messageTypes = ['PaymentTimedOut', 'StockTimedOut', 'Late'];
const idAt = (ordinal: number) => outgoingMessageId('in-1', 'orders', ordinal);

function sagaWith(...timeouts: PendingTimeout[]) {
  const stored = {
    readState: () => ({}),
    isSame: () => true,
    revision: { version: 1, commitId: 'c-1' },
    createdAt: new Date(0),
    timeouts,
  };
  const draft = new SagaDraft({ identity, stored, lease: undefined }, { initialState: () => ({}) });
  const saga = { identity, timeouts: draft.timeouts, messageTypes };
  return { draft, work: unitOfWork(undefined, { saga, sending: { schedules: true } }) };
}

const scheduled = { id: 'timeout-1', type: 'PaymentTimedOut', scheduled: true };
const queued = { id: 'timeout-2', type: 'PaymentTimedOut', scheduled: false };
const other = { id: 'timeout-3', type: 'StockTimedOut', scheduled: true };

describe('a timeout that a saga requests', () => {
  it.each([
    [{ minutes: 15 }, 'in no schedule'],
    [{ minutes: 16 }, 'in a schedule'],
  ])('of %j is kept with the saga until it fires, and %s', (after, where) => {
    const isScheduled = where === 'in a schedule';
    const { draft, work } = sagaWith();
    work.context.requestTimeout('PaymentTimedOut', {}, { after });
    expect(work.operations).toMatchObject([
      { id: idAt(0), destination: 'orders', headers: { 'Sagabox.Timeout': 'true' } },
    ]);
    expect(draft.write()).toMatchObject({
      kind: 'update',
      timeouts: [{ id: idAt(0), type: 'PaymentTimedOut', scheduled: isScheduled }],
    });
  });

  it('outside of a saga is a message like any other', () => {
    const work = unitOfWork();
    work.context.requestTimeout('Later', {}, { after: { minutes: 1 } });
    expect(work.operations).toMatchObject([
      { headers: expect.not.objectContaining({ 'Sagabox.Timeout': 'true' }) },
    ]);
  });
});

describe('cancelTimeout', () => {
  it('takes back all timeouts of a type: those in schedules there too', () => {
    const { draft, work } = sagaWith(scheduled, queued, other);
    work.context.cancelTimeout('PaymentTimedOut');
    expect(work.operations).toEqual([{ id: idAt(0), cancels: 'timeout-1' }]);
    expect(draft.write()).toMatchObject({ kind: 'update', timeouts: [other] });
  });

  it('changes nothing where none waits', () => {
    const { draft, work } = sagaWith(other);
    work.context.cancelTimeout('PaymentTimedOut');
    expect(work.operations).toEqual([]);
    expect(draft.write()).toBeUndefined();
  });

  it('unsends what the same handler requested, and leaves the ids of the others', () => {
    const { draft, work } = sagaWith();
    work.context.requestTimeout('PaymentTimedOut', {}, { after: { hours: 1 } });
    work.context.send('billing', 'A', {});
    work.context.cancelTimeout('PaymentTimedOut');
    work.context.send('billing', 'B', {});
    expect(work.operations.map(({ id }) => id)).toEqual([idAt(1), idAt(2)]);
    expect(draft.write()).toBeUndefined();
  });

  it('is refused outside of a saga', () => {
    const refused = refusalOf(() => unitOfWork().context.cancelTimeout('A'));
    expect(refused.code).toBe('Configuration');
    expect(refused.facts).toEqual({
      setting: 'cancelTimeout',
      problem: 'only a saga keeps track of its timeouts',
      remedy: 'Call it in the handler of a saga',
    });
  });
});

describe('a timeout that would reach nobody', () => {
  it('is refused when its saga does not take the type, and so is its cancellation', () => {
    const { work } = sagaWith();
    for (const call of [
      () => work.context.requestTimeout('Typo', {}, { after: { minutes: 1 } }),
      () => work.context.cancelTimeout('Typo'),
    ]) {
      refuses(call, /'OrderSaga' saga takes no such message.*with a delay/);
    }
    expect(work.operations).toEqual([]);
  });

  it('is refused with a unit that there is not, by its name', () => {
    const call = () => unitOfWork().context.requestTimeout('Later', {}, { after: { mins: 1 } as never });
    refuses(call, "'mins' is no unit of time (known: milliseconds, seconds, minutes, hours, days)");
  });

  it('is refused without a time', () => {
    const { requestTimeout } = sagaWith().work.context;
    for (const options of [undefined, {}, { after: undefined }]) {
      refuses(() => requestTimeout('Late', {}, options as never), 'needs a time');
    }
  });
});

describe('completion', () => {
  it('takes back every timeout of the saga, and unsends those of the last handler', () => {
    const { draft, work } = sagaWith(scheduled, queued, other);
    work.context.requestTimeout('Late', {}, { after: { hours: 1 } });
    draft.saga.complete();
    work.seal();
    work.cancelTimeouts();
    expect(work.operations).toMatchObject([{ cancels: 'timeout-1' }, { cancels: 'timeout-3' }]);
    expect(draft.write()).toMatchObject({ kind: 'complete' });
  });
});
