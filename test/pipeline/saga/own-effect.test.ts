import { beforeEach, expect, it } from '@jest/globals';
import { UnrecoverableError } from 'sagabox';
import { sagaKey } from '../../../lib/dynamodb/keys.ts';
import { SagaboxError } from '../../../lib/kernel/errors/errors.ts';
import { CountedBatch, messages } from './counted-batch.ts';

let batch: CountedBatch;
beforeEach(() => {
  batch = new CountedBatch();
});

/** As a handler may well refuse what its saga has gone through: it relies on I2, and needs no check for a duplicate. */
const refusingTwice: CountedBatch['handlers'][string] = ({ saga }, id) => {
  const times = saga.state.applied.filter((each) => each === id).length;
  if (times > 1) throw new UnrecoverableError(`${id} was applied before`);
};

it('a message that another delivery commits at the same moment is a duplicate in the end', async () => {
  await batch.run(messages('Started a'));
  batch.handlers.b = refusingTwice;
  const { commit } = batch.ports.committer;
  // Two deliveries of b commit in step: the other one wins, and this one meets its transaction.
  batch.ports.committer.commit = async (...parameters) => {
    batch.ports.committer.commit = commit;
    await commit(...parameters);
    throw new SagaboxError('TransactionConflict', { item: 'x' });
  };
  const returned = await batch.run(messages('Counted b'));
  expect([returned, batch.outcomes.slice(1)]).toEqual([[], ['b failed', 'b duplicate']]);
});

it('a message that another delivery commits while this one waits for the lease is a duplicate, and no failure', async () => {
  const locking = { mode: 'pessimistic', leaseDuration: { seconds: 10 } } as const;
  await batch.run(messages('Started a'));
  batch.handlers.b = refusingTwice;
  const key = sagaKey({ name: 'Counter', id: 's' }).partition;
  // The other delivery of b has the lease, and has not committed yet.
  batch.memory.storage.leases.set(key, {
    owner: 'another',
    until: new Date(batch.ports.clock.now().getTime() + 5000),
  });
  const running = batch.run(messages('Counted b'), { locking });
  for (let turn = 0; turn < 8; turn += 1) await batch.pass(0);
  expect(batch.callsOf('acquire')).toEqual(['acquire s']);
  // It commits, which gives the lease back.
  batch.memory.storage.leases.clear();
  expect(await batch.run(messages('Counted b'))).toEqual([]);
  batch.wake();
  const returned = await running;
  expect([returned, batch.outcomes.slice(1)]).toEqual([[], ['b handled', 'b duplicate']]);
});

it('nobody is told of a message without a saga that another delivery of it has ended, while this one waited for the lease', async () => {
  const locking = { mode: 'pessimistic', leaseDuration: { seconds: 10 } } as const;
  await batch.run(messages('Started a'));
  const key = sagaKey({ name: 'Counter', id: 's' }).partition;
  batch.memory.storage.leases.set(key, {
    owner: 'another',
    until: new Date(batch.ports.clock.now().getTime() + 5000),
  });
  const notFound: string[] = [];
  const onSagaNotFound = ({ id }: { id: string }) => void notFound.push(id);
  const running = batch.run(messages('Ended b'), { locking, onSagaNotFound });
  for (let turn = 0; turn < 8; turn += 1) await batch.pass(0);
  expect(batch.callsOf('acquire')).toEqual(['acquire s']);
  batch.memory.storage.leases.clear();
  expect(await batch.run(messages('Ended b'))).toEqual([]);
  batch.wake();
  expect([await running, notFound]).toEqual([[], []]);
});

it('a handler that fails on the effect of another delivery is a duplicate, rather than sent to the error queue', async () => {
  await batch.run(messages('Started a'));
  batch.handlers.b = refusingTwice;
  const { load } = batch.ports.sagas;
  // The other delivery commits between the dedup check and the read of the saga.
  batch.ports.sagas.load = async (...parameters) => {
    batch.ports.sagas.load = load;
    expect(await batch.run(messages('Counted b'))).toEqual([]);
    return await load(...parameters);
  };
  const recoverability = { policy: () => ({ action: 'errorQueue' }) as const };
  expect(await batch.run(messages('Counted b'), { recoverability })).toEqual([]);
  expect(batch.outcomes.slice(1)).toEqual(['b handled', 'b failed', 'b duplicate']);
});

it('a message is looked up once more in a delivery, not as often as it seems to be committed', async () => {
  await batch.run(messages('Started a', 'Counted b'));
  const { find } = batch.ports.outbox;
  const looks: boolean[] = [];
  // Each dedup check reads what was there before the commit, each second look what is there after it.
  batch.ports.outbox.find = async (...parameters) => {
    looks.push(looks.length % 2 === 1);
    if (looks.length > 9) throw new Error('The message is looked up for ever');
    const record = await find(...parameters);
    return looks.at(-1) ? record : undefined;
  };
  batch.handlers.b = refusingTwice;
  const recoverability = { policy: () => ({ action: 'errorQueue' }) as const };
  await batch.run(messages('Counted b'), { recoverability });
  expect(looks).toEqual([false, true, false]);
  expect(batch.outcomes.slice(2)).toEqual(['b failed', 'b failed']);
});
