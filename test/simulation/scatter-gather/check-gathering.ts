import { defineContract, defineHandlers, defineSaga, scatterGather } from 'sagabox';
import * as v from 'valibot';
import { testApp } from '../../../lib/testing/index.ts';
import { outboxOfForm } from '../../support/outbox-of-form.ts';
import { Random } from '../../support/random.ts';

const value = v.object({ requestId: v.string(), value: v.number() });
const echo = defineContract('echo', { Ask: value }, { replies: { Told: value } });
const id = 'one';

interface Result {
  outcome: string;
  missing: number[];
  values: number[];
}

/**
 * Runs one scatter-gather, with deliveries side by side in an order of the seed, copies of messages, handlers that throw
 * until their message is in the error queue, replies that come twice or never, and a cancellation.
 *
 * @returns how it ended, and what is wrong with that
 */
export async function checkGathering(
  seed: number,
): Promise<{ outcome: string; problems: readonly string[] }> {
  const random = new Random(seed);
  const count = 1 + random.below(20);
  const answers = Array.from({ length: count }, () => random.pick([1, 1, 1, 1, 1, 2, 0]));
  const isAnswered = random.below(3) > 0;
  const gathering = scatterGather({
    name: 'Gathering',
    endpoint: 'gathering',
    asks: echo,
    request: 'Ask',
    reply: 'Told',
    timeout: { minutes: 5 },
    width: 2 + random.below(6),
    outbox: outboxOfForm(random.pick(['records', 'embedded'])),
    coalesce: random.below(2) === 0,
  });
  const starter = defineSaga({
    name: 'Starter',
    messages: { Begin: v.object({}), Stop: v.object({}), ...gathering.contract.replies },
    sends: [gathering.contract],
    correlate: { Begin: () => id, Stop: () => id, GatheringGathered: () => id },
    startedBy: ['Begin'],
    initialState: () => ({ results: [] as Result[] }),
    handlers: {
      Begin: (_message, context) =>
        gathering.start(context, { id, requests: answers.map((_, value) => ({ value })) }),
      Stop: (_message, context) => gathering.cancel(context, id),
      GatheringGathered({ body: { outcome, missing, result } }, { saga }) {
        saga.state.results.push({ outcome, missing, values: result.map(({ body }) => body.value) });
      },
    },
  });
  const answering = defineHandlers({
    messages: echo.messages,
    replies: [echo],
    handlers: {
      Ask({ body }, { reply }) {
        const times = isAnswered ? (answers[body.value] ?? 0) : 1;
        for (let time = 0; time < times; time += 1) reply('Told', body);
      },
    },
  });
  const app = testApp(
    [
      { endpoint: 'starting', handles: starter },
      { endpoint: 'gathering', handles: gathering.saga },
      { endpoint: 'echo', handles: answering },
    ],
    { seed, throwOnFailure: false },
  );
  // Of some histories nothing disturbs the gathering: all replies come before the first timeout.
  const isUndisturbed = random.below(4) === 0;
  const isCancelled = !isUndisturbed && random.below(3) === 0;
  const fails = () => !isUndisturbed && random.below(4) === 0;
  const times = () => ({ times: random.pick([1, 3, 40]) });
  if (fails()) app.fail('gathering', 'GatheringPart', times());
  if (fails()) app.fail('gathering', 'GatheringReport', times());
  if (fails()) app.fail('gathering', 'Told', times());
  if (fails()) app.fail('echo', 'Ask', times());
  app.send('starting', 'Begin', {});
  if (isCancelled && fails()) app.send('starting', 'Stop', {});
  await app.deliverAll();
  for (const name of ['starting', 'gathering'] as const) app.redeliver(name);
  for (let round = 0; round < 5; round += 1) {
    if (isCancelled && random.below(2) === 0) app.send('starting', 'Stop', {});
    if (random.below(2) === 0) app.redrive('gathering');
    await app.advance({ minutes: 2 });
    await app.deliverAll();
  }
  // What is moved back after the end must change nothing.
  for (const name of ['starting', 'gathering', 'echo'] as const) app.redrive(name);
  await app.deliverAll();
  await app.advance({ hours: 1 });

  const told = app.state(starter, id)?.results ?? [];
  const [{ outcome, missing, values } = { outcome: 'none', missing: [], values: [] }] = told;
  const accounted = [...missing, ...values].toSorted((one, other) => one - other);
  const unanswered = isAnswered ? answers.filter((times) => times === 0).length : 0;
  const problems = [
    told.length !== 1 && `it has ${told.length} results`,
    isUndisturbed && missing.length !== unanswered && `it misses ${missing.join()}, undisturbed`,
    accounted.join() !== answers.map((_, index) => index).join() && `it accounts for ${accounted.join()}`,
    (outcome === 'complete') !== (missing.length === 0) && `it is ${outcome} without ${missing.join()}`,
    !app.isCompleted(gathering.saga, id) && 'it does not end',
  ].filter((problem) => typeof problem === 'string');
  return { outcome, problems };
}
