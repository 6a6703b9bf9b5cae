import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHandler } from 'sagabox';
import { listSagas } from '../../../lib/cli/list/list.ts';
import { showSaga } from '../../../lib/cli/show/show.ts';
import { tableDefaults } from '../../../lib/dynamodb/table-defaults.ts';
import type { SagaOutboxForm } from '../../../lib/saga/definition/outbox-form.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { counterSaga } from '../../acceptance/counter-endpoint.ts';
import { commandIo } from '../../support/command-io.ts';
import { dieAt } from '../../support/crash.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../../support/engines.ts';
import { record } from '../../support/queue.ts';

let tableName: string;
const client = dynamoDBClient();
const table = () => ({ ...tableDefaults, tableName });

beforeAll(async () => {
  tableName = await createTable();
  const destinations = { billing: await createQueue(), shipping: await createQueue() };
  const deliver = async (type: string, counter: string, dies = false, form: SagaOutboxForm = 'embedded') => {
    const clients = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };
    if (dies) dieAt([clients.dynamoDBClient], { operation: 'UpdateItem', when: 'after', nth: 1 });
    const handler = createHandler(counterSaga(form), {
      endpoint: 'counters',
      throwOnFullBatchFailure: false,
      sagaTable: { tableName },
      outboxTable: { tableName },
      destinations,
      logger: silentLogger,
      ...clients,
    });
    await handler({ Records: [record(type, { counter, note: 'n' }, `${type} ${counter}`)] });
  };
  await deliver('Counted', 'open');
  await deliver('Counted', 'left', true);
  await deliver('Counted', 'ended');
  await deliver('Closed', 'ended');
  await deliver('Counted', 'both', false, 'both');
  await deliver('Counted', 'both ended', false, 'both');
  await deliver('Closed', 'both ended', false, 'both');
});

const show = async (id: string) => {
  const place = { table: table(), environment: {} };
  const clients = { dynamoDBClient: client, sqsClient: sqsClient() };
  return await showSaga({ saga: 'Counter', id } as never, clients as never, place as never, commandIo().io);
};

describe('sagabox show of a saga with an embedded outbox', () => {
  it('tells its state and its inbox', async () => {
    const shown = await show('open');
    const embedded = { endpoint: 'counters', handledMessages: 1, pending: [], isOverflowed: false };
    expect(shown.json()).toMatchObject({ found: true, version: 1, state: { count: 1 }, embedded });
    expect(shown.lines().join('\n')).toMatch(
      /outbox +embedded, of the endpoint 'counters'\n.*inbox +1 messages/,
    );
  });

  it('tells what is still to be sent', async () => {
    const shown = await show('left');
    expect(shown.json()).toMatchObject({ embedded: { pending: [{ messageId: 'Counted left' }] } });
    expect(shown.lines().join('\n')).toContain('what Counted left sends, since ');
  });

  it('tells of one that has ended until when it knows its messages', async () => {
    const shown = await show('ended');
    expect(shown.json()).toMatchObject({ found: false, ended: { handledMessages: 2, pending: [] } });
    expect(shown.problem).toMatch(
      /it has completed, or has never started; its item remembers 2 handled or discarded messages until \d{4}-/,
    );
  });
});

describe('sagabox show of a saga with an embedded outbox and records', () => {
  it('tells its state and its inbox', async () => {
    const shown = await show('both');
    const embedded = { handledMessages: 1, changeover: new Date(0).toISOString() };
    expect(shown.json()).toMatchObject({ found: true, version: 1, state: { count: 1 }, embedded });
    expect(shown.lines().join('\n')).toMatch(/outbox +embedded, with records, of the endpoint 'counters'/);
  });

  it('tells of one that has ended', async () => {
    expect((await show('both ended')).json()).toMatchObject({ found: false, ended: { handledMessages: 2 } });
  });
});

it('sagabox list leaves out those that have ended', async () => {
  const listed = await listSagas({ saga: 'Counter' } as never, client, table(), commandIo().io);
  const { sagas } = listed.json() as { sagas: { id: string; updatedAt: string }[] };
  expect(sagas.map(({ id }) => id).toSorted()).toEqual(['both', 'left', 'open']);
  expect(sagas.every(({ updatedAt }) => !Number.isNaN(Date.parse(updatedAt)))).toBe(true);
});
