/** A saga that gets many messages at once: messages of one saga in a batch are committed together. */
import { defineSaga, type EmbeddedOutbox } from 'sagabox';
import { number, object, string } from 'valibot';

interface CounterState {
  /** Each number that was counted, in the order in which it was. */
  numbers: number[];
}

const count = object({ counter: string(), number: number() });

/** @param next the endpoint that counts each number after this one */
export function counterSaga(name: string, next?: string, outbox?: EmbeddedOutbox) {
  return defineSaga({
    name,
    outbox,
    messages: { Count: count },
    correlate: { Count: ({ counter }) => counter },
    startedBy: ['Count'],
    initialState: (): CounterState => ({ numbers: [] }),
    handlers: {
      Count({ body }, { saga, send }) {
        saga.state.numbers.push(body.number);
        if (next !== undefined) send(next, 'Count', body);
      },
    },
  });
}
