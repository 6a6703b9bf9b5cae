import type { SQSRecord } from 'aws-lambda';
import { defineSaga } from 'sagabox';
import { z } from 'zod';
import { eventRecord } from '../../../lib/local/lambda/sqs-event.ts';
import { headerNames } from '../../../lib/messages/headers.ts';
import { randomText } from '../../support/random-text.ts';

const fields = {
  sagaId: z.string(),
  /** Bytes of the saga's own data after this message. */
  sagaText: z.number(),
  outgoing: z.number(),
  messageText: z.number(),
  destinations: z.number(),
  change: z.enum(['update', 'complete', 'none', 'fail']),
  /** Values, and the bytes of each. */
  appended: z.number(),
  valueText: z.number(),
};

export type GridBody = z.infer<z.ZodObject<typeof fields>>;

const idle = {
  outgoing: 0,
  messageText: 0,
  destinations: 1,
  change: 'update',
  appended: 0,
  valueText: 0,
} as const;

interface GridState {
  turn: number;
  text: string;
}

/**
 * Its handlers do what the message says. Its names are as long as the plan takes names to be, and let the
 * whole saga fit into 200 bytes.
 */
export const gridSaga = defineSaga({
  name: 'Measured',
  messages: {
    Start: z.object(fields),
    Step: z.object(fields),
    Append: z.object(fields),
    Collect: z.object(fields),
  },
  correlate: {
    Start: (m) => m.sagaId,
    Step: (m) => m.sagaId,
    Append: (m) => m.sagaId,
    Collect: (m) => m.sagaId,
  },
  startedBy: ['Start'],
  appendedBy: ['Append'],
  collectedBy: ['Collect'],
  initialState: (): GridState => ({ turn: 0, text: '' }),
  handlers: {
    Start: ({ body }, { saga, send }) => act(body, saga, send),
    Step: ({ body }, { saga, send }) => act(body, saga, send),
    Append({ body }, { saga, send }) {
      for (let index = 0; index < body.appended; index += 1)
        saga.append('values', 'x'.repeat(body.valueText));
      sendAll(body, send);
    },
    async Collect({ body }, { saga, send }) {
      await saga.collect('values');
      act(body, saga, send);
    },
  },
});

interface ActedOn {
  state: GridState;
  complete(): void;
}

export type GridType = keyof typeof gridSaga.messages & string;
type Send = (to: string, type: string, body: unknown) => void;

function act(body: GridBody, saga: ActedOn, send: Send): void {
  if (body.change === 'fail') throw new Error('The handler was told to fail');
  if (body.change === 'update') {
    saga.state.turn = (saga.state.turn + 1) % 9;
    saga.state.text = 'x'.repeat(body.sagaText);
  }
  if (body.change === 'complete') saga.complete();
  sendAll(body, send);
}

function sendAll(body: GridBody, send: Send): void {
  for (let index = 0; index < body.outgoing; index += 1) {
    send(`q${index % body.destinations}`, 'Sent', halfRandom(body.messageText, index + 1));
  }
}

/** Compression takes about half off it. */
function halfRandom(bytes: number, seed: number): string {
  const random = randomText(Math.floor(bytes / 2), seed);
  return random + 'word '.repeat(Math.ceil(bytes / 5)).slice(0, bytes - random.length);
}

export function gridRecord(
  id: string,
  type: GridType,
  body: Pick<GridBody, 'sagaId' | 'sagaText'> & Partial<GridBody>,
): SQSRecord {
  const text = (StringValue: string) => ({ DataType: 'String', StringValue });
  return eventRecord(
    {
      MessageId: id,
      ReceiptHandle: id,
      Body: JSON.stringify({ ...idle, ...body }),
      Attributes: { ApproximateReceiveCount: '1', SentTimestamp: String(Date.now()) },
      MessageAttributes: { [headerNames.messageId]: text(id), [headerNames.messageType]: text(type) },
    },
    'arn:aws:sqs:us-east-1:000000000000:e',
  ) as unknown as SQSRecord;
}
