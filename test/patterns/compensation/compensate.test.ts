import { describe, expect, it } from '@jest/globals';
import { compensate, defineContract, embeddedOutbox, headerNames } from 'sagabox';
import { testSaga } from 'sagabox/testing';
import * as v from 'valibot';
import { refusalOf } from '../../support/error-of.ts';

const trip = v.object({ tripId: v.string() });
const flights = defineContract(
  'flights',
  { BookFlight: trip, CancelFlight: v.object({ tripId: v.string(), reference: v.optional(v.string()) }) },
  {
    replies: {
      FlightBooked: v.object({ tripId: v.string(), reference: v.string() }),
      FlightDeclined: trip,
      FlightCancelled: trip,
    },
  },
);
const hotels = defineContract(
  'hotels',
  { BookHotel: trip },
  { replies: { HotelBooked: trip, HotelDeclined: trip } },
);

const compensation = {
  command: 'CancelFlight',
  body: ({ request, reply }: { request: { tripId: string }; reply: { reference: string } | undefined }) => ({
    tripId: request.tripId,
    ...(reply && { reference: reply.reference }),
  }),
  completedBy: 'FlightCancelled',
  timeout: { hours: 1 },
} as const;
const flight = {
  to: flights,
  command: 'BookFlight',
  body: ({ request }: { request: { tripId: string } }) => request,
  completedBy: 'FlightBooked',
  declinedBy: 'FlightDeclined',
  timeout: { minutes: 5 },
  compensation,
} as const;
const hotel = {
  to: hotels,
  command: 'BookHotel',
  body: ({ request }: { request: { tripId: string } }) => request,
  completedBy: 'HotelBooked',
  declinedBy: 'HotelDeclined',
  timeout: { minutes: 5 },
} as const;
const definition = {
  name: 'TripSaga',
  startedBy: { TripRequested: trip },
  correlate: ({ tripId }: { tripId: string }) => tripId,
  steps: { flight, hotel },
};

const body = { tripId: '7' };
const trips = () => testSaga(compensate(definition), { publishTo: 'events' });

describe('a saga with compensations', () => {
  it('gives a compensation the reply of its step', async () => {
    const saga = trips();
    await saga.deliver('TripRequested', body);
    await saga.deliver('FlightBooked', { ...body, reference: 'F-1' });
    await saga.deliver('HotelDeclined', body);
    expect(saga.outgoing.at(-1)).toMatchObject({
      destination: 'flights',
      type: 'CancelFlight',
      body: { tripId: '7', reference: 'F-1' },
    });
  });

  it('takes back a step that timed out without a reply, and keeps one that comes late', async () => {
    const saga = trips();
    await saga.deliver('TripRequested', body);
    await saga.advance({ minutes: 5 });
    expect(saga.outgoing.map(({ type, body }) => [type, body])).toEqual([
      ['BookFlight', body],
      ['CancelFlight', body],
    ]);
    await saga.deliver('FlightBooked', { ...body, reference: 'F-1' });
    expect(saga.state('7')).toMatchObject({
      status: 'compensating',
      steps: { flight: { status: 'compensating', attempt: 1 } },
      replies: { flight: { reference: 'F-1' } },
    });
    expect(saga.outgoing).toHaveLength(2);
    await saga.deliver('FlightCancelled', body);
    expect(saga.isCompleted('7')).toBe(true);
    expect((await saga.deliver('FlightDeclined', body)).outcome).toBe('discarded');
  });

  it('waits for one timeout at a time', async () => {
    const saga = trips();
    await saga.deliver('TripRequested', body);
    await saga.advance({ minutes: 3 });
    await saga.deliver('FlightBooked', { ...body, reference: 'F-1' });
    // Of the first step: it is discarded.
    await saga.advance({ minutes: 4 });
    expect(saga.state('7')?.steps).toEqual({
      flight: { status: 'completed', hasCompensation: true },
      hotel: { status: 'requested' },
    });
    await saga.advance({ minutes: 1 });
    expect(saga.state('7')?.failure).toEqual({ step: 'hotel', reason: 'timedOut' });
  });

  it('fails with its code when a compensation has no reply', async () => {
    const saga = trips();
    await saga.deliver('TripRequested', body);
    await saga.advance({ minutes: 5 });
    const failed = saga.advance({ hours: 1, seconds: 1 });
    await expect(failed).rejects.toMatchObject({
      code: 'CompensationFailed',
      retryable: false,
      facts: {
        sagaName: 'TripSaga',
        sagaId: '7',
        step: 'flight',
        command: 'CancelFlight',
        attempt: 1,
        reason: 'timedOut',
      },
    });
    expect(saga.state('7')?.steps.flight).toMatchObject({ status: 'compensationFailed', attempt: 1 });
  });

  it('is resumed by the redriven notice of its last attempt alone, however often others arrive', async () => {
    const saga = trips();
    const notice = async (attempt: number, headers = {}) =>
      await saga.deliver(
        'TripSagaCompensationFailed' as never,
        { process: '7', step: 'flight', attempt } as never,
        { headers },
      );
    const redriven = async (attempt: number) => await notice(attempt, { [headerNames.redriven]: 'true' });
    const cancellations = () => saga.outgoing.filter(({ type }) => type === 'CancelFlight').length;
    await saga.deliver('TripRequested', body);
    await saga.advance({ minutes: 5 });
    await expect(saga.advance({ hours: 1, seconds: 1 })).rejects.toMatchObject({
      code: 'CompensationFailed',
    });
    // What failed is delivered again.
    await expect(saga.advance({ hours: 1 })).rejects.toMatchObject({ code: 'CompensationFailed' });
    await expect(notice(1)).rejects.toMatchObject({ code: 'CompensationFailed' });
    await redriven(2);
    expect(saga.state('7')?.steps.flight).toMatchObject({ status: 'compensationFailed' });
    expect(cancellations()).toBe(1);
    await redriven(1);
    expect(saga.state('7')?.steps.flight).toEqual({ status: 'compensating', attempt: 2 });
    expect(cancellations()).toBe(2);
    await redriven(1);
    expect(cancellations()).toBe(2);
    await expect(
      saga.deliver('TripSagaCompensationFailed' as never, { process: '7' } as never),
    ).rejects.toMatchObject({ code: 'InvalidMessage', message: /no message of a process to itself/ });
  });

  it('does not start without a scheduler when only a compensation needs it', async () => {
    const saga = testSaga(compensate(definition), { scheduler: false });
    await expect(saga.deliver('TripRequested', body)).rejects.toMatchObject({
      code: 'InvalidOutgoingMessage',
      message: expect.stringContaining('3600 s is over the 900 s of SQS'),
    });
    expect(saga.state('7')).toBeUndefined();
  });

  it.each<[string, object, string]>([
    ['a step', { hotel }, 'steps.flight: a process under way needs it'],
    [
      'a compensation',
      { flight: { ...flight, compensation: undefined } },
      'steps.flight.compensation: a process',
    ],
  ])('fails with its code where %s is gone that it needs', async (_what, steps, told) => {
    const state = {
      status: 'compensationFailed',
      steps: { flight: { status: 'compensationFailed', attempt: 1, reason: 'declined' } },
      failure: { step: 'flight', reason: 'timedOut' },
      request: body,
      replies: {},
    };
    const saga = testSaga(compensate({ ...definition, steps } as never), {
      sagas: { 7: { state } },
    } as never);
    const notice = saga.deliver(
      'TripSagaCompensationFailed' as never,
      { process: '7', step: 'flight', attempt: 1 } as never,
      { headers: { [headerNames.redriven]: 'true' } },
    );
    await expect(notice).rejects.toMatchObject({
      code: 'Configuration',
      message: expect.stringContaining(told),
    });
    expect(saga.state('7')).toMatchObject(state);
  });

  it('ends as compensated only if its definition has each step that may be done', async () => {
    const steps = { flight: { status: 'completed' }, hotel: { status: 'requested' } };
    const state = { request: body, replies: {}, status: 'running', steps };
    const saga = testSaga(compensate({ ...definition, steps: { hotel } } as never), {
      sagas: { 7: { state } },
    } as never);
    await expect(saga.deliver('HotelDeclined' as never, body as never)).rejects.toMatchObject({
      code: 'Configuration',
      message: expect.stringContaining('steps.flight: a process under way needs it'),
    });
    expect(saga.state('7')).toMatchObject(state);
    await saga.deliver('HotelBooked' as never, body as never);
    expect(saga.isCompleted('7')).toBe(true);
  });

  const recorded = () => {
    const lines: [level: string, line: string, facts: object][] = [];
    const at = (level: string) => (line: string, facts: object) => void lines.push([level, line, facts]);
    return { lines, logger: { info: at('info'), warn: at('warn'), error: at('error') } };
  };

  const notAwaited = 'A message to a process changes nothing: its step does not wait for it';
  it.each([
    ['FlightBooked', 'compensated', 'warn', 'A service says that a step is done that is taken back already'],
    ['FlightBooked', 'declined', 'warn', 'A service says that a step is done that was declined'],
    ['FlightBooked', 'compensating', 'info', notAwaited],
    ['FlightDeclined', 'compensated', 'info', notAwaited],
    ['FlightCancelled', 'compensated', 'info', notAwaited],
  ])('logs a %s of a step that is %s, which changes nothing, as %s', async (type, status, level, line) => {
    const { lines, logger } = recorded();
    const attempt = status === 'compensating' ? { attempt: 1 } : {};
    const hotelGoesBack = { status: 'compensating', attempt: 1 };
    const steps = { flight: { status, ...attempt }, hotel: hotelGoesBack };
    const state = { request: body, replies: {}, status: 'compensating', steps };
    const saga = testSaga(compensate(definition), { logger, sagas: { 7: { state } } } as never);
    await saga.deliver(type as never, { ...body, reference: 'F-1' } as never);
    expect(saga.state('7')).toMatchObject({ status: 'compensating', steps });
    expect(saga.outgoing).toEqual([]);
    const named = level === 'warn' ? { step: 'flight', command: 'BookFlight' } : {};
    const facts = { sagaName: 'TripSaga', sagaId: '7', status: 'compensating', ...named };
    expect(lines).toEqual([[level, line, expect.objectContaining(facts)]]);
  });

  const running = { request: body, replies: {}, status: 'running' };
  const withoutIt = { flight: { ...flight, compensation: undefined }, hotel };
  const under = (state: object) =>
    testSaga(compensate({ ...definition, steps: withoutIt } as never), { sagas: { 7: { state } } } as never);
  const noCompensation = {
    code: 'Configuration',
    message: expect.stringContaining('steps.flight.compensation: a process under way needs it'),
  };

  it('goes back only if each step that may be done has the compensation that it was requested with', async () => {
    const steps = {
      flight: { status: 'completed', hasCompensation: true },
      hotel: { status: 'requested' },
    };
    const saga = under({ ...running, steps });
    await expect(saga.deliver('HotelDeclined' as never, body as never)).rejects.toMatchObject(noCompensation);
    expect(saga.state('7')).toMatchObject({ ...running, steps });
    await saga.deliver('HotelBooked' as never, body as never);
    expect(saga.isCompleted('7')).toBe(true);
  });

  it('does not take a step for taken back that timed out and has lost its compensation', async () => {
    const steps = { flight: { status: 'requested', hasCompensation: true }, hotel: { status: 'waiting' } };
    const saga = under({ ...running, steps });
    const timedOut = saga.deliver(
      'TripSagaStepTimedOut' as never,
      { process: '7', step: 'flight', attempt: 0 } as never,
    );
    await expect(timedOut).rejects.toMatchObject(noCompensation);
    expect(saga.state('7')).toMatchObject({ ...running, steps });
    await saga.deliver('FlightDeclined' as never, body as never);
    expect(saga.isCompleted('7')).toBe(true);
  });

  it('takes a message that changes nothing also without a compensation that it needs later', async () => {
    const { flight } = { flight: { status: 'completed', hasCompensation: true } };
    const steps = { flight, hotel: { status: 'compensating', attempt: 1 } };
    const state = { ...running, status: 'compensating', steps, replies: { flight: body, hotel: body } };
    const saga = under(state);
    await saga.deliver('FlightBooked' as never, { ...body, reference: 'F1' } as never);
    expect(saga.state('7')).toMatchObject(state);
  });

  it('leaves done what a state that does not tell of its compensation has done', async () => {
    const steps = { flight: { status: 'completed' }, hotel: { status: 'requested' } };
    const saga = under({ ...running, steps });
    await saga.deliver('HotelDeclined' as never, body as never);
    expect(saga.isCompleted('7')).toBe(true);
  });

  it('has the form, the commits and the state rules of its definition, or those of any saga', () => {
    const outbox = embeddedOutbox();
    const options = { outbox, coalesce: false, state: { compress: true } } as const;
    const form = { outbox, coalesce: false, compressesState: true };
    expect(compensate({ ...definition, ...options })).toMatchObject(form);
    const plain = compensate(definition);
    expect(plain).toMatchObject({ coalesce: true, compressesState: false });
    expect(plain).not.toHaveProperty('outbox');
  });

  it('starts once: a request that is sent again changes nothing', async () => {
    const { lines, logger } = recorded();
    const loose = v.looseObject({ tripId: v.string() });
    const other = { ...definition, startedBy: { TripRequested: loose } } as unknown as typeof definition;
    const saga = testSaga(compensate(other), { logger } as never) as ReturnType<typeof trips>;
    await saga.deliver('TripRequested', { ...body, seats: 2, window: undefined } as typeof body);
    await saga.deliver('TripRequested', { window: undefined, seats: 2, ...body } as typeof body, { id: 'b' });
    expect(saga.outgoing).toHaveLength(1);
    await saga.deliver('HotelBooked', body);
    expect(saga.state('7')?.steps).toEqual({
      flight: { status: 'requested', hasCompensation: true },
      hotel: { status: 'waiting' },
    });
    const told = { sagaName: 'TripSaga', sagaId: '7', messageId: 'b', messageType: 'TripRequested' };
    const line = 'A process is under way with the request of a message, which changes nothing';
    expect(lines).toContainEqual(['info', line, expect.objectContaining(told)]);
  });

  it('refuses another request for a process under way, which goes on with its own', async () => {
    const ofTwo = v.object({ tripId: v.string(), seats: v.optional(v.number()) });
    const other = { ...definition, startedBy: { TripRequested: ofTwo } };
    const saga = testSaga(compensate(other as typeof definition)) as ReturnType<typeof trips>;
    await saga.deliver('TripRequested', { ...body, seats: 1 } as typeof body);
    const before = saga.state('7');
    for (const request of [{ ...body, seats: 2 }, body])
      await expect(saga.deliver('TripRequested', request as typeof body)).rejects.toMatchObject({
        code: 'ProcessRunning',
        facts: { sagaName: 'TripSaga', sagaId: '7', messageType: 'TripRequested' },
      });
    expect(saga.state('7')).toEqual(before);
    // Only the first one waits for its timeout.
    await saga.advance({ minutes: 5 });
    expect(saga.outgoing.map(({ type }) => type)).toEqual(['BookFlight', 'CancelFlight']);
    await saga.deliver('FlightCancelled', body);
    await saga.advance({ hours: 2 });
    expect(saga.outgoing).toHaveLength(2);
  });

  const atFlight = (flightState: object, steps = {}) => ({
    request: body,
    replies: {},
    status: 'compensating',
    failure: { step: 'flight', reason: 'timedOut' },
    steps: { flight: flightState, hotel: { status: 'waiting' }, ...steps },
  });
  const inState = (state: object, given: object = definition, options: object = {}) =>
    testSaga(compensate(given as typeof definition), { sagas: { 7: { state } }, ...options } as never);
  const ownMessage = async (saga: ReturnType<typeof inState>, type: string, own: unknown) =>
    await saga.deliver(`TripSaga${type}` as never, own as never);

  it.each<[string, object, object]>([
    ['of an attempt before', { status: 'compensationFailed', attempt: 2, reason: 'declined' }, {}],
    ['of a compensation under way', { status: 'compensating', attempt: 1 }, {}],
    ['of a step that waits', { status: 'compensated' }, { step: 'hotel' }],
    ['of a step that was added later', { status: 'compensated' }, { step: 'car' }],
  ])('takes a notice %s, which nobody moved back, and changes nothing', async (_what, flightState, own) => {
    const car = {
      ...hotel,
      completedBy: 'FlightDeclined',
      declinedBy: undefined,
      to: flights,
      command: 'BookFlight',
    };
    const { declinedBy: _, ...undeclined } = flight;
    const state = atFlight(flightState);
    const saga = inState(state, { ...definition, steps: { flight: undeclined, hotel, car } });
    await ownMessage(saga, 'CompensationFailed', { process: '7', step: 'flight', attempt: 1, ...own });
    expect(saga.state('7')).toEqual(state);
  });

  it.each<[string, unknown]>([
    ['no object', 'flight'],
    ['no process', { step: 'flight', attempt: 1 }],
    ['no step', { process: '7', attempt: 1 }],
    ['no attempt', { process: '7', step: 'flight' }],
    ['half an attempt', { process: '7', step: 'flight', attempt: 0.5 }],
  ])('refuses a message to itself that has %s', async (_what, own) => {
    const saga = inState(atFlight({ status: 'compensating', attempt: 1 }));
    await expect(ownMessage(saga, 'StepTimedOut', own)).rejects.toMatchObject({
      code: 'InvalidMessage',
      message: expect.stringContaining('no message of a process to itself'),
    });
  });

  it('waits for an operator when its compensation is declined', async () => {
    const declining = { ...flight, compensation: { ...compensation, declinedBy: 'FlightDeclined' } };
    const { declinedBy: _, ...step } = declining;
    const saga = inState(atFlight({ status: 'compensating', attempt: 3 }), {
      ...definition,
      steps: { flight: step, hotel },
    });
    await saga.deliver('FlightDeclined', body);
    expect(saga.state('7')).toMatchObject({
      status: 'compensationFailed',
      steps: { flight: { status: 'compensationFailed', attempt: 3, reason: 'declined' } },
    });
  });

  it('ends only when all of it is done or taken back, whatever comes', async () => {
    const ends: string[] = [];
    const given = {
      ...definition,
      onCompleted: () => void ends.push('completed'),
      onCompensated: () => void ends.push('compensated'),
    };
    const end = { process: '7', step: '', attempt: 0 };
    for (const failure of [{}, { failure: undefined }]) {
      const state = { ...atFlight({ status: 'compensating', attempt: 1 }), ...failure };
      const saga = inState(state, given);
      await ownMessage(saga, 'Ended', end);
      expect(saga.state('7')).toMatchObject({ status: 'compensating' });
    }
    const withoutEnd = inState({ ...atFlight({ status: 'compensated' }), status: 'compensated' }, definition);
    await ownMessage(withoutEnd, 'Ended', end);
    expect(withoutEnd.isCompleted('7')).toBe(true);
    expect(ends).toEqual([]);
  });

  it('keeps the replies that complete steps, and no others', async () => {
    const saga = trips();
    await saga.deliver('TripRequested', body);
    await saga.deliver('FlightBooked', { ...body, reference: 'F-1' });
    await saga.deliver('HotelDeclined', body);
    expect(saga.state('7')?.replies).toEqual({ flight: { ...body, reference: 'F-1' } });
  });

  it('ignores a reply to a step that was added later, and that it has not asked for', async () => {
    const { lines, logger } = recorded();
    const state = {
      ...atFlight({ status: 'compensating', attempt: 1 }),
      steps: { flight: { status: 'compensating', attempt: 1 } },
    };
    const saga = inState(state, definition, { logger });
    await saga.deliver('HotelBooked', body);
    expect(saga.state('7')?.steps).toEqual(state.steps);
    expect(lines.map(([level]) => level)).toEqual(['info']);
  });

  it('takes several steps back, and needs those alone that may be done', async () => {
    const done = { status: 'completed', hasCompensation: true };
    const car = { to: hotels, command: 'BookHotel', body: flight.body, timeout: { minutes: 5 } };
    const last = { ...car, completedBy: 'HotelBooked', declinedBy: 'HotelDeclined' };
    const cruises = defineContract(
      'cruises',
      { BookCruise: trip, CancelCruise: trip },
      { replies: { CruiseBooked: trip, CruiseCancelled: trip } },
    );
    const cruise = {
      to: cruises,
      command: 'BookCruise',
      body: flight.body,
      completedBy: 'CruiseBooked',
      timeout: { minutes: 5 },
      compensation: {
        command: 'CancelCruise',
        body: flight.body,
        completedBy: 'CruiseCancelled',
        timeout: { minutes: 5 },
      },
    };
    const steps = { flight: done, cruise: done, hotel: { status: 'requested' }, gone: { status: 'waiting' } };
    const state = { request: body, replies: {}, status: 'running', steps };
    const saga = inState(state, { ...definition, steps: { flight, cruise, hotel: last } });
    await saga.deliver('HotelDeclined', body);
    await saga.deliver('CruiseCancelled' as never, body as never);
    expect(saga.outgoing.map(({ type }) => type)).toEqual(['CancelCruise', 'CancelFlight']);
    const without = inState(state, { ...definition, steps: { cruise, hotel: last } });
    await expect(without.deliver('HotelDeclined', body)).rejects.toMatchObject({
      code: 'Configuration',
      message: expect.stringContaining('Deploy the definition with it again, until no process needs it'),
    });
  });

  it('tells at its end whom its contracts name, beside the services', async () => {
    const customers = defineContract('customers', { TellCustomer: trip });
    const end = async (bodyOf: (tripId: string) => { tripId: string }) => {
      const saga = testSaga(
        compensate({
          ...definition,
          sends: [customers, hotels],
          onCompleted({ request: { tripId }, replies }, { send }) {
            send('customers', 'TellCustomer', bodyOf(`${tripId} ${replies.flight?.reference}`));
          },
        }),
      );
      await saga.deliver('TripRequested', body);
      await saga.deliver('FlightBooked', { ...body, reference: 'F-1' });
      await saga.deliver('HotelBooked', body);
      await saga.advance({ seconds: 1 });
      return saga.outgoing.at(-1);
    };
    const told = { destination: 'customers', type: 'TellCustomer', body: { tripId: '7 F-1' } };
    expect(await end((tripId) => ({ tripId }))).toMatchObject(told);
    const wrong = end(() => ({ tripId: 7 as unknown as string }));
    await expect(wrong).rejects.toMatchObject({ code: 'InvalidOutgoingMessage' });
  });

  it('publishes what its contracts have, and nothing else', async () => {
    const tripEvents = defineContract('trip-events', { TripBooked: trip });
    const end = async (type: string) => {
      const given = {
        ...definition,
        steps: { hotel },
        publishes: [tripEvents],
        onCompleted: (_facts: unknown, { publish }: { publish: (type: string, body: object) => void }) =>
          publish(type, body),
      };
      const saga = testSaga(compensate(given as unknown as typeof definition), { publishTo: 'events' });
      await saga.deliver('TripRequested', body);
      await saga.deliver('HotelBooked', body);
      await saga.advance({ seconds: 1 });
      return saga.outgoing.at(-1)?.type;
    };
    expect(await end('TripBooked')).toBe('TripBooked');
    await expect(end('TripPaid')).rejects.toMatchObject({ code: 'InvalidOutgoingMessage' });
  });

  it('at its end refuses the reply of a step that was added when the process was past it', async () => {
    const read: unknown[] = [];
    const added = { hotel, flight };
    const end = async (readsReply: boolean) => {
      const onCompleted = ({ replies }: { replies: { hotel?: unknown; flight?: unknown } }) => {
        read.push(Object.hasOwn(replies, 'hotel'), replies.flight);
        if (readsReply) read.push(replies.hotel);
      };
      const before = testSaga(compensate({ ...definition, steps: { flight } }));
      await before.deliver('TripRequested', body);
      const state = before.state('7') as object;
      const after = compensate({ ...definition, steps: added, onCompleted } as unknown as typeof definition);
      const saga = testSaga(after, { sagas: { '7': { state } } });
      await saga.deliver('FlightBooked', { ...body, reference: 'F-1' });
      await saga.advance({ seconds: 1 });
      return saga.isCompleted('7');
    };
    expect(await end(false)).toBe(true);
    expect(read).toEqual([false, { ...body, reference: 'F-1' }]);
    await expect(end(true)).rejects.toMatchObject({
      code: 'Configuration',
      message: expect.stringContaining('replies.hotel'),
    });
  });

  it('keeps no reply to a step that it has not asked for: the one that it asks for counts', async () => {
    const saga = trips();
    const steps = { hotel, flight };
    const other = testSaga(compensate({ ...definition, steps }), { publishTo: 'events' });
    await other.deliver('TripRequested', body);
    await other.deliver('FlightBooked', { ...body, reference: 'of an earlier trip' });
    await other.deliver('HotelBooked', body);
    expect(other.state('7')?.replies).not.toHaveProperty('flight');
    await other.advance({ minutes: 5 });
    expect(other.outgoing.at(-1)).toMatchObject({ type: 'CancelFlight', body });
    await saga.deliver('TripRequested', body);
    await saga.deliver('FlightBooked', { ...body, reference: 'F-1' });
    await saga.deliver('FlightBooked', { ...body, reference: 'F-2' });
    expect(saga.state('7')?.replies).toEqual({ flight: { ...body, reference: 'F-1' } });
  });

  it('takes no reply that its schema refuses, and goes on with the timeout', async () => {
    const saga = trips();
    await saga.deliver('TripRequested', body);
    await expect(saga.deliver('FlightBooked' as never, body as never)).rejects.toMatchObject({
      code: 'InvalidMessage',
    });
    expect(saga.state('7')).toMatchObject({ steps: { flight: { status: 'requested' } }, replies: {} });
    await saga.advance({ minutes: 5 });
    expect(saga.outgoing.at(-1)).toMatchObject({ type: 'CancelFlight' });
  });

  it('starts once for a request that is delivered twice, and anew after its end for another one', async () => {
    const saga = trips();
    const first = { id: 'first' };
    await saga.deliver('TripRequested', body, first);
    expect((await saga.deliver('TripRequested', body, first)).outcome).toBe('duplicate');
    await saga.deliver('FlightDeclined', body);
    expect(saga.isCompleted('7')).toBe(true);
    expect((await saga.deliver('TripRequested', body, first)).outcome).toBe('duplicate');
    expect(saga.outgoing).toHaveLength(1);
    await saga.deliver('TripRequested', body, { id: 'second' });
    expect(saga.state('7')).toMatchObject({ status: 'running', steps: { flight: { status: 'requested' } } });
    expect(saga.outgoing).toHaveLength(2);
  });

  it('stays as it ended when the code for its end throws, and takes nothing back', async () => {
    let isBroken = true;
    const ends: unknown[] = [];
    const onCompleted = (facts: unknown) => {
      if (isBroken) throw new Error('broken');
      ends.push(facts);
    };
    const saga = testSaga(compensate({ ...definition, onCompleted }), { publishTo: 'events' });
    await saga.deliver('TripRequested', body);
    await saga.deliver('FlightBooked', { ...body, reference: 'F-1' });
    await saga.deliver('HotelBooked', body);
    await expect(saga.advance({ seconds: 1 })).rejects.toThrow('broken');
    const ended = { status: 'completed', steps: { hotel: { status: 'completed' } } };
    expect(saga.state('7')).toMatchObject(ended);
    isBroken = false;
    await saga.deliver('TripSagaEnded' as never, { process: '7', step: '', attempt: 0 } as never);
    expect(ends).toEqual([{ request: body, replies: { flight: expect.anything(), hotel: body } }]);
    expect(saga.isCompleted('7')).toBe(true);
    expect(saga.outgoing.map(({ type }) => type)).toEqual(['BookFlight', 'BookHotel']);
  });

  it('tells at its end which steps without a compensation are done, or may be', async () => {
    const { compensation: _, ...kept } = flight;
    const ends: unknown[] = [];
    const onCompensated = ({ failure, remaining }: { failure: unknown; remaining: unknown }) =>
      void ends.push({ failure, remaining });
    const end = async (steps: object, afterFlight: (saga: ReturnType<typeof trips>) => Promise<unknown>) => {
      const saga = testSaga(
        compensate({ ...definition, steps, onCompensated } as unknown as typeof definition),
        { publishTo: 'events' },
      ) as ReturnType<typeof trips>;
      await saga.deliver('TripRequested', body);
      await afterFlight(saga);
      await saga.advance({ seconds: 1 });
      expect(saga.isCompleted('7')).toBe(true);
    };
    const booked = { ...body, reference: 'F-1' };
    await end({ flight: kept, hotel }, async (saga) => {
      await saga.deliver('FlightBooked', booked);
      await saga.advance({ minutes: 5 });
    });
    await end({ flight, hotel }, async (saga) => {
      await saga.deliver('FlightBooked', booked);
      await saga.deliver('HotelDeclined', body);
      await saga.deliver('FlightCancelled', body);
    });
    expect(ends).toEqual([
      {
        failure: { step: 'hotel', reason: 'timedOut' },
        remaining: [
          { step: 'flight', status: 'completed' },
          { step: 'hotel', status: 'timedOut' },
        ],
      },
      { failure: { step: 'hotel', reason: 'declined' }, remaining: [] },
    ]);
  });

  it.each([
    ['HotelBooked', 'completed'],
    ['HotelDeclined', undefined],
  ])('tells what a %s says of such a step, though it comes late', async (type, status) => {
    const ends: unknown[] = [];
    const onCompensated = ({ failure, remaining }: { failure: unknown; remaining: unknown }) =>
      void ends.push({ failure, remaining });
    const saga = testSaga(compensate({ ...definition, onCompensated } as never));
    await saga.deliver('TripRequested' as never, body as never);
    await saga.deliver('FlightBooked' as never, { ...body, reference: 'F-1' } as never);
    await saga.advance({ minutes: 5 });
    const awaited = saga.timeouts;
    await saga.deliver(type as never, body as never);
    // That of the compensation which is under way.
    expect(saga.timeouts).toEqual(awaited);
    await saga.deliver('FlightCancelled' as never, body as never);
    await saga.advance({ seconds: 1 });
    const failure = { step: 'hotel', reason: 'timedOut' };
    expect(ends).toEqual([{ failure, remaining: status ? [{ step: 'hotel', status }] : [] }]);
    expect(saga.isCompleted('7')).toBe(true);
  });

  it('says so after the last compensation, too, and ends once', async () => {
    const { compensation: _, ...kept } = flight;
    const ends: unknown[] = [];
    const onCompensated = ({ remaining }: { remaining: unknown }) => void ends.push(remaining);
    const saga = testSaga(compensate({ ...definition, steps: { flight: kept }, onCompensated } as never));
    await saga.deliver('TripRequested' as never, body as never);
    await saga.advance({ minutes: 5 });
    expect(saga.state('7')).toMatchObject({ status: 'compensated' });
    await saga.deliver('FlightBooked' as never, { ...body, reference: 'F-1' } as never);
    expect(saga.timeouts).toHaveLength(1);
    await saga.advance({ seconds: 1 });
    expect(ends).toEqual([[{ step: 'flight', status: 'completed' }]]);
  });

  it('refuses a body that the contract of the service does not take, and commits nothing', async () => {
    const wrong = { ...flight, body: () => ({ tripId: 7 }) } as unknown as typeof flight;
    const saga = testSaga(compensate({ ...definition, steps: { flight: wrong } }));
    await expect(saga.deliver('TripRequested', body)).rejects.toMatchObject({
      code: 'InvalidOutgoingMessage',
    });
    expect(saga.state('7')).toBeUndefined();
  });
});

describe('a definition of compensations', () => {
  const withFlight = (changes: object) => ({ ...definition, steps: { flight: { ...flight, ...changes } } });
  const withCompensation = (changes: object) => withFlight({ compensation: { ...compensation, ...changes } });

  it.each<[string, unknown, string]>([
    ['no definition', undefined, 'the options of compensate: undefined is not an object'],
    ['no steps', { ...definition, steps: undefined }, 'steps: it is missing'],
    ['an empty list of steps', { ...definition, steps: {} }, 'steps: there is none'],
    ['no correlation', { ...definition, correlate: undefined }, 'correlate: it is missing'],
    ['no start', { ...definition, startedBy: {} }, 'no message type is given'],
    [
      'a misspelt setting',
      { ...definition, onCompensate: () => {} },
      "TripSaga': onCompensate: there is no such setting (did you mean 'onCompensated'?)",
    ],
    [
      'a misspelt compensation',
      withFlight({ compensate: {} }),
      "steps.flight: compensate: there is no such setting (did you mean 'compensation'?)",
    ],
    ['a name that keys cannot have', { ...definition, name: 'Trip#' }, 'compensate: name: "Trip#" cannot be'],
    ['services that are no list', { ...definition, sends: flights }, '… is not a list'],
    ['a numbered step', { ...definition, steps: { 1: flight } }, 'a number does not keep its place'],
    ...['constructor', 'valueOf', '__proto__'].map((name): [string, object, string] => [
      `a step with the name ${name}`,
      { ...definition, steps: JSON.parse(`{ "${name}": {} }`) },
      `steps.${name}: every object of JavaScript has it`,
    ]),
    ['a step of two digits', { ...definition, steps: { 10: flight } }, 'Name the step in letters'],
    ['no schemas of a start', { ...definition, startedBy: {} }, "compensate 'TripSaga': startedBy"],
    ['no step', { ...definition, steps: {} }, 'Give the steps of the process, in their order'],
    [
      'a service of no contract',
      withFlight({ to: { name: 'flights' } }),
      'Give a contract that defineContract returned',
    ],
    ['a step that lacks something', withFlight({ body: undefined }), 'See docs/guide/compensation.md'],
    [
      'a timeout of over a year',
      withFlight({ timeout: { days: 366 } }),
      'Give a duration such as { minutes: 5 }, up to a year',
    ],
    ['an unknown message', withFlight({ command: 'Book' }), 'Name one of these, or add it there'],
    [
      'a reply of a contract without replies',
      withFlight({ to: defineContract('quiet', { BookFlight: trip }) }),
      "contract 'quiet' has no reply 'FlightBooked' (known: none)",
    ],
    [
      'a message type of two meanings',
      withCompensation({ completedBy: 'FlightBooked' }),
      'Give each message type one meaning in the process',
    ],
    ['a step without a command', withFlight({ command: undefined }), 'steps.flight: command: it is missing'],
    ['a step without a timeout', withFlight({ timeout: undefined }), 'timeout: it is missing'],
    [
      'an unknown command',
      withFlight({ command: 'Book' }),
      "contract 'flights' has no message 'Book' (known: BookFlight,",
    ],
    ['an unknown reply', withFlight({ completedBy: 'Booked' }), "contract 'flights' has no reply 'Booked'"],
    [
      'an unknown decline',
      withFlight({ declinedBy: 'No' }),
      "flight: declinedBy: contract 'flights' has no reply 'No'",
    ],
    ['no duration', withFlight({ timeout: { minute: 1 } }), "'minute' is no unit of time"],
    ['over a year', withFlight({ timeout: { days: 366 } }), 'timeout: it is zero or less, or over a year'],
    [
      'a misspelt setting of a step',
      withFlight({ timout: {} }),
      'steps.flight: timout: there is no such setting',
    ],
    ['no time at all', withFlight({ timeout: { minutes: 0 } }), 'timeout: it is zero or less'],
    ['no contract', withFlight({ to: { name: 'flights' } }), 'to: it is no contract'],
    [
      'a compensation without a body',
      withCompensation({ body: undefined }),
      'compensation: body: it is missing',
    ],
    [
      'its unknown command',
      withCompensation({ command: 'Undo' }),
      "compensation: command: contract 'flights' has no",
    ],
    [
      'its own timeout of zero',
      withCompensation({ timeout: { minutes: 0 } }),
      'compensation: timeout: it is zero or less',
    ],
    [
      'a reply with two meanings',
      withCompensation({ completedBy: 'FlightBooked' }),
      "message 'FlightBooked' says 'completed' of step 'flight', and says 'compensated' of step 'flight'",
    ],
    [
      'two steps with one reply',
      { ...definition, steps: { flight, other: flight } },
      "message 'FlightBooked' says 'completed' of step 'flight', and says 'completed' of step 'other'",
    ],
    [
      'a start that is a reply',
      { ...definition, startedBy: { FlightBooked: trip } },
      "message 'FlightBooked' starts the process, and says 'completed'",
    ],
    [
      'a start that is its own message',
      { ...definition, startedBy: { TripSagaStepTimedOut: trip } },
      "message 'TripSagaStepTimedOut' is sent by the process to itself, and starts",
    ],
    ['what defineSaga refuses', { ...definition, outbox: 'none' }, "defineSaga 'TripSaga': outbox"],
  ])('is refused with %s', (_what, given, problem) => {
    const error = refusalOf(() => compensate(given as typeof definition));
    expect(error.code).toBe('Configuration');
    expect(error.message).toContain(problem);
  });

  it.each(['1a', 'a1', '01', '-1'])("takes '%s' for the name of a step, which is no number", (step) => {
    const saga = compensate({ ...definition, steps: { [step]: hotel, flight } } as never);
    expect(saga.name).toBe('TripSaga');
  });
});
