import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  advance,
  newProcess,
  type PlannedStep,
  type Process,
  type ProcessEvent,
  type ProcessMessage,
  type StepState,
} from '../../../lib/patterns/compensation/process.ts';
import { sampled } from '../../support/samples.ts';

const plan = [
  { name: 'flight', hasCompensation: true },
  { name: 'hotel', hasCompensation: true },
  { name: 'car', hasCompensation: true },
];

type Event = ProcessEvent;

function processAfter(events: readonly Event[], steps: readonly PlannedStep[] = plan) {
  let process: Process = newProcess(steps);
  const sent: ProcessMessage[] = [];
  for (const event of [{ kind: 'started' } as const, ...events]) {
    const transition = advance(steps, process, event);
    process = transition.process;
    sent.push(...transition.messages);
  }
  const statuses = Object.values(process.steps).map(({ status }) => status);
  return { process, sent: sent.map(wordsOf), statuses };
}

function wordsOf(message: ProcessMessage): string {
  return message.kind === 'command' ? message.step : `${message.kind} ${message.step} ${message.attempt}`;
}

const said =
  (kind: 'completed' | 'declined' | 'timedOut' | 'compensated' | 'compensationDeclined') =>
  (step: string): Event => ({ kind, step });
const [completed, declined, timedOut] = [said('completed'), said('declined'), said('timedOut')];
const [compensated, compensationDeclined] = [said('compensated'), said('compensationDeclined')];
const compensationTimedOut = (step: string, attempt = 1): Event => ({
  kind: 'compensationTimedOut',
  step,
  attempt,
});
const resumed = (step: string, attempt = 1): Event => ({ kind: 'resumed', step, attempt });

describe('a process', () => {
  it.each<[string, Event[], string, string[], string[]]>([
    ['begins with its first step', [], 'running', ['requested', 'waiting', 'waiting'], ['flight']],
    [
      'does the next step when one is completed',
      [completed('flight')],
      'running',
      ['completed', 'requested', 'waiting'],
      ['flight', 'hotel'],
    ],
    [
      'is completed with its last step',
      [completed('flight'), completed('hotel'), completed('car')],
      'completed',
      ['completed', 'completed', 'completed'],
      ['flight', 'hotel', 'car'],
    ],
    [
      'takes nothing back when the first step is declined',
      [declined('flight')],
      'compensated',
      ['declined', 'waiting', 'waiting'],
      ['flight'],
    ],
    [
      'takes back what is completed, the last one first',
      [completed('flight'), completed('hotel'), declined('car'), compensated('hotel')],
      'compensating',
      ['compensating', 'compensated', 'declined'],
      ['flight', 'hotel', 'car', 'compensation hotel 1', 'compensation flight 1'],
    ],
    [
      'takes back a step without a reply too: it may have been done',
      [completed('flight'), timedOut('hotel'), compensated('hotel'), compensated('flight')],
      'compensated',
      ['compensated', 'compensated', 'waiting'],
      ['flight', 'hotel', 'compensation hotel 1', 'compensation flight 1'],
    ],
    [
      'stays where a compensation is declined',
      [completed('flight'), completed('hotel'), declined('car'), compensationDeclined('hotel')],
      'compensationFailed',
      ['completed', 'compensationFailed', 'declined'],
      ['flight', 'hotel', 'car', 'compensation hotel 1', 'failureNotice hotel 1'],
    ],
    [
      'stays where a compensation has no reply, and goes on when it is resumed',
      [timedOut('flight'), compensationTimedOut('flight'), resumed('flight')],
      'compensating',
      ['compensating', 'waiting', 'waiting'],
      ['flight', 'compensation flight 1', 'failureNotice flight 1', 'compensation flight 2'],
    ],
    [
      'goes on by itself when the reply of a failed compensation comes after all',
      [completed('flight'), timedOut('hotel'), compensationTimedOut('hotel'), compensated('hotel')],
      'compensating',
      ['compensating', 'compensated', 'waiting'],
      ['flight', 'hotel', 'compensation hotel 1', 'failureNotice hotel 1', 'compensation flight 1'],
    ],
    [
      'tells another failure of a compensation that was resumed',
      [
        ...[timedOut('flight'), compensationTimedOut('flight'), resumed('flight')],
        compensationDeclined('flight'),
      ],
      'compensationFailed',
      ['compensationFailed', 'waiting', 'waiting'],
      [
        'flight',
        'compensation flight 1',
        'failureNotice flight 1',
        'compensation flight 2',
        'failureNotice flight 2',
      ],
    ],
  ])('%s', (_what, events, status, statuses, sent) => {
    const result = processAfter(events);
    expect([result.process.status, result.statuses, result.sent]).toEqual([status, statuses, sent]);
  });

  it('is running before its first step, too', () => {
    expect(newProcess(plan).status).toBe('running');
  });

  it('says which step made it fail, and why', () => {
    expect(processAfter([completed('flight'), declined('hotel')]).process.failure).toEqual({
      step: 'hotel',
      reason: 'declined',
    });
    expect(processAfter([timedOut('flight'), compensated('flight')]).process.failure).toEqual({
      step: 'flight',
      reason: 'timedOut',
    });
    expect(processAfter([completed('flight')]).process).not.toHaveProperty('failure');
  });

  it('keeps whether a step had a compensation when it was requested, while it may be done', () => {
    const steps = plan.map((step) => ({ ...step, hasCompensation: step.name === 'hotel' }));
    expect(processAfter([], steps).process.steps.flight).toEqual({ status: 'requested' });
    const { process } = processAfter([completed('flight')], steps);
    const requested = { status: 'requested', hasCompensation: true };
    expect(process.steps).toEqual({
      flight: { status: 'completed' },
      hotel: requested,
      car: { status: 'waiting' },
    });
    const without = steps.map((step) => ({ ...step, hasCompensation: false }));
    expect(advance(without, process, timedOut('hotel')).process).toMatchObject({
      status: 'compensated',
      steps: { hotel: { status: 'timedOut', hasCompensation: true } },
    });
  });

  it('leaves a step without a compensation as it is', () => {
    const steps = plan.map((step) => ({ ...step, hasCompensation: step.name === 'flight' }));
    const { process, statuses, sent } = processAfter(
      [completed('flight'), timedOut('hotel'), compensated('flight')],
      steps,
    );
    expect([process.status, statuses]).toEqual(['compensated', ['compensated', 'timedOut', 'waiting']]);
    expect(sent).toEqual(['flight', 'hotel', 'compensation flight 1']);
  });

  it.each([
    [completed, 'completed'],
    [declined, 'declined'],
  ])('learns by a late reply what became of such a step, and goes on as before: %#', (reply, status) => {
    const steps = plan.map((step) => ({ ...step, hasCompensation: step.name === 'flight' }));
    const { process, statuses, sent } = processAfter(
      [completed('flight'), timedOut('hotel'), reply('hotel'), reply('hotel')],
      steps,
    );
    expect([process.status, statuses]).toEqual(['compensating', ['compensating', status, 'waiting']]);
    expect(process.failure).toEqual({ step: 'hotel', reason: 'timedOut' });
    expect(sent).toEqual(['flight', 'hotel', 'compensation flight 1']);
  });

  it('takes back no step that declines late, while another one is taken back', () => {
    const { process } = processAfter([completed('flight')]);
    const moved = [plan[0], plan[2], plan[1]].filter((step) => step !== undefined);
    const { process: next } = advance(moved, process, completed('hotel'));
    const back = advance(moved, next, timedOut('car')).process;
    const told = advance(moved, back, declined('car')).process;
    expect(told.steps).toMatchObject({ hotel: { status: 'compensating' }, car: { status: 'declined' } });
    expect(advance(moved, told, compensated('hotel')).messages).toEqual([
      { kind: 'compensation', step: 'flight', attempt: 1 },
    ]);
  });

  it('leaves out a step that was added before the one under way', () => {
    const { process } = processAfter([completed('flight')], plan.slice(0, 2));
    const changed = [{ name: 'visa', hasCompensation: true }, ...plan.slice(0, 2)];
    const result = advance(changed, process, completed('hotel'));
    expect([result.process.status, result.messages]).toEqual(['completed', []]);
    const back = advance(changed, process, declined('hotel'));
    expect(back.messages).toEqual([{ kind: 'compensation', step: 'flight', attempt: 1 }]);
  });

  it('leaves out a step that was added between one that is done and the one under way', () => {
    const [first, , last] = plan as [PlannedStep, PlannedStep, PlannedStep];
    const { process } = processAfter([completed('flight')], [first, last]);
    const transition = advance(
      [first, { name: 'added', hasCompensation: true }, last],
      process,
      completed('car'),
    );
    expect(transition.process.status).toBe('completed');
    expect(transition.messages).toEqual([]);
  });

  it('does a step that was moved before the one under way, and takes back in the order that it then has', () => {
    const { process } = processAfter([completed('flight')]);
    const moved = [plan[0], plan[2], plan[1]].filter((step) => step !== undefined);
    const next = advance(moved, process, completed('hotel'));
    expect(next.messages).toEqual([{ kind: 'command', step: 'car' }]);
    expect(advance(moved, next.process, completed('car'))).toMatchObject({
      process: { status: 'completed', steps: { car: { status: 'completed' } } },
      messages: [],
    });
    const back = advance(moved, next.process, timedOut('car'));
    expect(back.messages).toEqual([{ kind: 'compensation', step: 'hotel', attempt: 1 }]);
    const further = advance(moved, back.process, compensated('hotel'));
    expect(further.messages).toEqual([{ kind: 'compensation', step: 'car', attempt: 1 }]);
  });

  it('does a step that was added while it was under way', () => {
    const { process } = processAfter([completed('flight'), completed('hotel')], plan.slice(0, 2));
    const longer = advance(plan, { ...process, status: 'running' }, { kind: 'started' });
    expect(longer.messages).toEqual([]);
    const before = processAfter([completed('flight')], plan.slice(0, 2)).process;
    expect(advance(plan, before, completed('hotel')).messages).toEqual([{ kind: 'command', step: 'car' }]);
  });
});

describe('a step', () => {
  const failed: StepState = { status: 'compensationFailed', attempt: 2, reason: 'declined' };
  const [requested, compensating] = [
    { status: 'requested' } as const,
    { status: 'compensating', attempt: 2 } as const,
  ];
  const isDone: StepState = { status: 'compensated' };
  const timedOutBefore: StepState = { status: 'timedOut' };
  // With the compensation that it may have been requested with.
  const withIt = { status: 'requested', hasCompensation: true } as const;
  const states: StepState[] = [
    ...[
      { status: 'waiting' } as const,
      requested,
      withIt,
      { status: 'completed' } as const,
      { status: 'declined' } as const,
    ],
    ...[timedOutBefore, compensating, failed, isDone],
  ];

  /** What each event makes of it: it ignores the event in all other states. */
  const awaited: [string, Event, [from: StepState | undefined, to: StepState][]][] = [
    [
      'its reply',
      completed('flight'),
      [
        [requested, { status: 'completed' }],
        [withIt, { status: 'completed', hasCompensation: true }],
        [timedOutBefore, { status: 'completed' }],
      ],
    ],
    [
      'its decline',
      declined('flight'),
      [requested, withIt, timedOutBefore].map((from) => [from, { status: 'declined' }]),
    ],
    [
      'its timeout',
      timedOut('flight'),
      [requested, withIt].map((from) => [from, { status: 'compensating', attempt: 1 }]),
    ],
    ['that it is taken back', compensated('flight'), [compensating, failed].map((from) => [from, isDone])],
    ['that it cannot be taken back', compensationDeclined('flight'), [[compensating, failed]]],
    [
      'the timeout of its compensation',
      compensationTimedOut('flight', 2),
      [[compensating, { status: 'compensationFailed', attempt: 2, reason: 'timedOut' }]],
    ],
    ['no timeout of an earlier attempt', compensationTimedOut('flight', 1), []],
    ['that it is resumed', resumed('flight', 2), [[failed, { status: 'compensating', attempt: 3 }]]],
    ['no resumption of an earlier attempt', resumed('flight', 1), []],
  ];

  it.each(
    awaited.flatMap(([what, event, changes]) =>
      states.map((state) => [what, state, event, changes.find(([from]) => from === state)?.[1]] as const),
    ),
  )('waits for %s: %j', (_what, state, event, next) => {
    const process: Process = { status: 'running', steps: { flight: state } };
    const result = advance(plan.slice(0, 1), process, event);
    if (next === undefined) {
      expect(result.process).toBe(process);
      expect(result.messages).toEqual([]);
    } else expect(result.process.steps).toEqual({ flight: next });
  });
});

const plans = fc
  .array(fc.boolean(), { minLength: 1, maxLength: 4 })
  .map((steps): PlannedStep[] =>
    steps.map((hasCompensation, index) => ({ name: `s${index}`, hasCompensation })),
  );

const anyEvent: fc.Arbitrary<Event> = fc.record({
  kind: fc.constantFrom(
    ...(['started', 'completed', 'completed', 'declined', 'timedOut', 'compensated'] as const),
    ...(['compensationDeclined', 'compensationTimedOut', 'resumed'] as const),
  ),
  step: fc.nat(3).map((index) => `s${index}`),
  attempt: fc.integer({ min: 1, max: 3 }),
}) as fc.Arbitrary<Event>;

/** Mostly what the process waits for, else anything. */
function history(
  steps: readonly PlannedStep[],
  draws: readonly { isAwaited: boolean; choice: number; any: Event }[],
) {
  let process = advance(steps, newProcess(steps), { kind: 'started' }).process;
  const transitions = [
    { before: newProcess(steps), ...advance(steps, newProcess(steps), { kind: 'started' }) },
  ];
  for (const { isAwaited, choice, any } of draws) {
    const awaited = awaitedBy(process);
    const event = isAwaited ? (awaited[choice % Math.max(1, awaited.length)] ?? any) : any;
    if (event.kind !== 'started' && !steps.some(({ name }) => name === event.step)) continue;
    const before = process;
    const transition = advance(steps, before, event);
    process = transition.process;
    transitions.push({ before, ...transition });
  }
  return { process, transitions, sent: transitions.flatMap(({ messages }) => messages) };
}

function awaitedBy({ steps }: Process): Event[] {
  return Object.entries(steps).flatMap(([step, state]): Event[] => {
    if (state.status === 'requested')
      return [completed(step), completed(step), declined(step), timedOut(step)];
    if (state.status === 'compensating')
      return [compensated(step), compensationDeclined(step), compensationTimedOut(step, state.attempt)];
    if (state.status === 'compensationFailed') return [resumed(step, state.attempt), compensated(step)];
    return [];
  });
}

const draws = fc.array(fc.record({ isAwaited: fc.boolean(), choice: fc.nat(3), any: anyEvent }), {
  maxLength: 40,
});
const isAnEnd = ({ status }: Process) => status === 'completed' || status === 'compensated';

describe('any history of a process', () => {
  const check = (holds: (steps: readonly PlannedStep[], of: ReturnType<typeof history>) => void) =>
    fc.assert(
      fc.property(plans, draws, (steps, drawn) => holds(steps, history(steps, drawn))),
      sampled(500),
    );

  it('sends each command, and each attempt at a compensation, once at most', () => {
    check((_steps, { sent }) => {
      expect(new Set(sent.map(wordsOf)).size).toBe(sent.length);
    });
  });

  it('does steps in their order, and takes them back in reverse, only what may have been done', () => {
    check((steps, { sent, transitions }) => {
      const names = steps.map(({ name }) => name);
      const commands = sent.filter(({ kind }) => kind === 'command').map(({ step }) => step);
      expect(commands).toEqual(names.slice(0, commands.length));
      const first = sent.filter((message) => message.kind === 'compensation' && message.attempt === 1);
      const taken = first.map(({ step }) => step);
      const mayBeDone = new Set(
        transitions.flatMap(({ process, before }) =>
          names.filter((name) => {
            const isTimeout =
              before.steps[name]?.status === 'requested' && process.steps[name]?.status === 'compensating';
            return isTimeout || process.steps[name]?.status === 'completed';
          }),
        ),
      );
      const expected = steps
        .filter(({ name, hasCompensation }) => hasCompensation && mayBeDone.has(name))
        .toReversed();
      expect(taken).toEqual(expected.map(({ name }) => name).slice(0, taken.length));
    });
  });

  it('repeats a compensation only when it is resumed, and begins the next one when it is done', () => {
    check((_steps, { transitions }) => {
      for (const { before, messages } of transitions) {
        expect(messages.length).toBeLessThan(2);
        const [message] = messages;
        if (message?.kind !== 'compensation') continue;
        const state = before.steps[message.step];
        const isRepeated = message.attempt > 1;
        expect(isRepeated).toBe(state?.status === 'compensationFailed');
      }
    });
  });

  it('works on one step at a time, and its status says so', () => {
    check((_steps, { transitions }) => {
      for (const { process } of transitions) {
        const active = Object.values(process.steps)
          .map(({ status }) => status)
          .filter((status) => ['requested', 'compensating', 'compensationFailed'].includes(status));
        expect(active).toEqual(
          isAnEnd(process) ? [] : [process.status === 'running' ? 'requested' : process.status],
        );
      }
    });
  });

  it('leaves nothing behind: an end is one of all that was asked for, or of nothing', () => {
    check((steps, { process }) => {
      const states = steps.map(({ name, hasCompensation }) => ({
        hasCompensation,
        status: process.steps[name]?.status,
      }));
      if (process.status === 'completed')
        expect(states.every(({ status }) => status === 'completed')).toBe(true);
      if (process.status !== 'compensated') return;
      const left = states.filter(({ status, hasCompensation }) => status === 'completed' && hasCompensation);
      expect(left).toEqual([]);
      expect(process.failure).toBeDefined();
    });
  });

  it('does each step that it began with once, however often the steps are moved, and no added one twice', () => {
    const names = ['s0', 's1', 's2', 's3'];
    const orders = fc.array(fc.shuffledSubarray([...names, 'added'], { minLength: 5 }), {
      minLength: 6,
      maxLength: 6,
    });
    fc.assert(
      fc.property(orders, (drawn) => {
        const planOf = (order: readonly string[]) => order.map((name) => ({ name, hasCompensation: true }));
        const first = planOf(names);
        let { process, messages } = advance(first, newProcess(first), { kind: 'started' });
        const done: string[] = [];
        for (const order of drawn) {
          const [message] = messages;
          if (message === undefined) break;
          done.push(message.step);
          ({ process, messages } = advance(planOf(order), process, completed(message.step)));
        }
        expect(process.status).toBe('completed');
        expect(done.filter((name) => name !== 'added').toSorted()).toEqual(names);
        expect(new Set(done).size).toBe(done.length);
      }),
      sampled(200),
    );
  });

  it('ends once: only what became of a step without a reply can still be told', () => {
    check((_steps, { transitions }) => {
      for (const { before, process, messages } of transitions) {
        if (!isAnEnd(before)) continue;
        expect([process.status, process.failure, messages]).toEqual([before.status, before.failure, []]);
        for (const [name, state] of Object.entries(before.steps))
          if (state.status !== 'timedOut') expect(process.steps[name]).toEqual(state);
      }
    });
  });

  it('comes to an end when what it waits for happens', () => {
    fc.assert(
      fc.property(plans, fc.array(fc.nat(3), { minLength: 60, maxLength: 60 }), (steps, choices) => {
        const { process } = history(
          steps,
          choices.map((choice, index) => ({
            isAwaited: true,
            // Operators may have to resume again and again, but not for ever.
            choice: index > 40 ? 0 : choice,
            any: { kind: 'started' },
          })),
        );
        expect(isAnEnd(process)).toBe(true);
      }),
      sampled(200),
    );
  });
});
