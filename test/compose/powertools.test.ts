import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { expect, it } from '@jest/globals';
import { type CreateHandlerOptions, createHandler, defineSaga } from 'sagabox';
import { z } from 'zod';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { createTable, dynamoDBClient } from '../support/engines.ts';
import { sagaFacts } from '../support/message-facts.ts';
import { record } from '../support/queue.ts';

const client = dynamoDBClient();

const saga = defineSaga({
  name: 'Order',
  messages: { Placed: z.object({ id: z.string() }) },
  correlate: { Placed: (body) => body.id },
  startedBy: ['Placed'],
  initialState: () => ({}),
  handlers: { Placed: (_message, { logger }) => logger.info('placed', { step: 1 }) },
});

async function orders(options: CreateHandlerOptions) {
  const table = { tableName: await createTable() };
  const tables = { sagaTable: table, outboxTable: table, dynamoDBClient: client };
  return createHandler(saga, { endpoint: 'orders', ...tables, ...options });
}

/** What is written to a console, as JSON. */
class Lines {
  readonly lines: Record<string, unknown>[] = [];
  readonly info = (line: string) => void this.lines.push(JSON.parse(line));
  readonly log = this.info;
}

it('the Logger of Powertools tells message, conversation and saga in each line', async () => {
  const output = new Lines();
  const logger = new Logger({ serviceName: 'orders' });
  // Where the Logger writes to, which it takes from nobody.
  Object.assign(logger, { console: output });
  const handler = await orders({ logger });
  await handler({ Records: [record('Placed', { id: '7' }, 'm1')] });
  expect(output.lines).toEqual([expect.objectContaining({ message: 'placed', step: 1, ...sagaFacts })]);
});

it('the Metrics of Powertools count how messages end', async () => {
  const metrics = new Metrics({ namespace: 'shop', serviceName: 'orders' });
  const handler = await orders({ metrics, logger: silentLogger });
  const placed = record('Placed', { id: '7' }, 'm1');
  await handler({ Records: [placed] });
  await handler({ Records: [placed] });

  const stored = metrics.serializeMetrics();
  expect(stored).toMatchObject({ MessagesHandled: 1, MessagesDuplicate: 1 });
});
