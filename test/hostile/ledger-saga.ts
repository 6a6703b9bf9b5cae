import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { defineHandlers, defineSaga, type SagaHandlerContext } from 'sagabox';
import { z } from 'zod';

interface LedgerState {
  handled: string[];
  last: unknown;
}

const Counted = z.object({
  counter: z.union([z.string(), z.number()]),
  note: z.unknown(),
  /** Each of them can be wrong. */
  lines: z.array(z.number()).optional(),
});
type CountedBody = z.infer<typeof Counted>;

/** Leaves one trace of each message in every place: the state, the user's own table, and what is sent. */
function leaveTraces(
  message: { readonly id: string; readonly body: CountedBody },
  { saga, send, transaction }: SagaHandlerContext<LedgerState>,
): void {
  const trace = encodeURIComponent(message.id);
  saga.state.handled.push(trace);
  saga.state.last = message.body.note ?? null;
  transaction.add(userWrite(trace));
  send('billing', 'Charge', { trace, note: message.body.note ?? null });
}

/** Types with the names of what objects inherit are types like any other. */
export const ledgerSaga = defineSaga({
  name: 'Hostile',
  messages: { Counted, ['__proto__']: Counted, constructor: Counted, toString: Counted },
  correlate: {
    Counted: ({ counter }) => counter,
    ['__proto__']: ({ counter }) => counter,
    constructor: ({ counter }) => counter,
    toString: ({ counter }) => counter,
  },
  startedBy: ['Counted', '__proto__', 'constructor', 'toString'],
  initialState: (): LedgerState => ({ handled: [], last: null }),
  handlers: {
    Counted: leaveTraces,
    ['__proto__']: leaveTraces,
    constructor: leaveTraces,
    toString: leaveTraces,
  },
});

/** Hands on whatever it gets, to whom the message says. */
export const ledgerHandlers = defineHandlers({
  messages: { Anything: z.any(), prototype: z.any() },
  handlers: {
    Anything(message, { reply, transaction }) {
      const trace = encodeURIComponent(message.id);
      transaction.add(userWrite(trace));
      reply('Echo', { trace, note: message.body });
    },
    prototype(message, { send, transaction }) {
      const trace = encodeURIComponent(message.id);
      transaction.add(userWrite(trace));
      send('billing', 'Echo', { trace, note: message.body });
    },
  },
});

export function userWrite(trace: string): TransactWriteItem {
  return { Put: { TableName: 'ledger', Item: { PK: { S: trace }, SK: { S: 'LEDGER' } } } };
}
