import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { MessageEndpoint, OutboxRelay, OutboxTable, SagaTable } from 'sagabox/constructs';
import { CapacityMeter } from '../../../lib/core/storage/capacity-meter.ts';
import { relayOutbox } from '../../../lib/middleware/relay/relay-outbox.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { storedRecord } from '../../support/commits.ts';
import { commitToSaga } from '../../support/embedded-commits.ts';
import { createQueue, dynamoDBClient, sqsClient } from '../../support/engines.ts';
import { ClientFaults } from '../../support/faults.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';
import { createStreamedTable, dynamoDBRelay } from '../../support/relay-subject.ts';
import { allowedActions, inlineFunction, unbundledStack } from '../support.ts';

/** A record in chunks, and one with a hashed key, so that the relay does all that it can do. */
const large = outgoingMessage({ body: 'x'.repeat(400_000) });
const hashed = createHash('sha256').update('m').digest('hex');

/** What the calls of a run need: 'Query' of the table, 'Query index' of its index. */
async function actionsOfRun(strategy: 'index' | 'scan'): Promise<string[]> {
  const [dynamoDB, sqs] = [dynamoDBClient(), sqsClient()];
  try {
    const tableName = await createStreamedTable(dynamoDB);
    const { committer } = dynamoDBRelay({ client: dynamoDB, tableName, strategy });
    await committer.commit(storedRecord('m1', [large]), new CapacityMeter());
    await committer.commit(storedRecord(hashed, [outgoingMessage()]), new CapacityMeter());
    const faults = new ClientFaults(dynamoDB);
    const options = {
      endpoint: 'orders',
      outboxTable: { tableName },
      strategy,
      maxReadUnitsPerSecond: 100_000,
      dynamoDBClient: dynamoDB,
      sqsClient: sqs,
      logger: silentLogger,
    };
    // The first run fails, and postpones what it has taken.
    await expect(relayOutbox({ ...options, destinations: {} })()).rejects.toMatchObject({
      code: 'RelayFailed',
    });
    const destinations = { billing: await createQueue() };
    const dispatched = await relayOutbox({ ...options, destinations, includePostponed: true })();
    expect(dispatched).toMatchObject({ dispatched: 2 });
    const used = faults.requests.map(
      ({ operation, input }) => `${operation}${input.IndexName ? ' index' : ''}`,
    );
    return [...new Set(used)].toSorted();
  } finally {
    dynamoDB.destroy();
    sqs.destroy();
  }
}

/** What the calls of a run need on a table of sagas with an embedded outbox. */
async function actionsOnSagas(sagaRelayIndex: boolean): Promise<string[]> {
  const [dynamoDB, sqs] = [dynamoDBClient(), sqsClient()];
  try {
    const [outbox, sagas] = [await createStreamedTable(dynamoDB), await createStreamedTable(dynamoDB)];
    const stores = dynamoDBRelay({ client: dynamoDB, tableName: sagas, strategy: 'index' });
    await commitToSaga(stores, { messageId: 'm1', operations: [outgoingMessage()] });
    const { requests } = new ClientFaults(dynamoDB);
    const options = {
      ...{ endpoint: 'orders', outboxTable: { tableName: outbox }, sagaTable: { tableName: sagas } },
      ...{ sagaRelayIndex, relayIndex: true, maxReadUnitsPerSecond: 100_000 },
      ...{ dynamoDBClient: dynamoDB, sqsClient: sqs, logger: silentLogger },
    };
    const destinations = { billing: await createQueue() };
    expect(await relayOutbox({ ...options, destinations })()).toMatchObject({ dispatched: 1 });
    const onSagas = requests.filter(({ input }) => JSON.stringify(input).includes(sagas));
    const used = onSagas.map(({ operation, input }) => `${operation}${input.IndexName ? ' index' : ''}`);
    return [...new Set(used)].toSorted();
  } finally {
    dynamoDB.destroy();
    sqs.destroy();
  }
}

function grantedOnSagas(relayIndex: boolean): string[] {
  const stack = unbundledStack();
  const endpoint = new MessageEndpoint(stack, 'Orders', {
    function: inlineFunction(stack, 'OrdersFunction'),
    sagaTable: new SagaTable(stack, 'Sagas', { relayIndex }),
    outboxTable: new OutboxTable(stack, 'Outbox', { relayIndex: true }),
    embeddedOutbox: true,
  });
  new OutboxRelay(stack, 'Relay', { endpoints: [endpoint] });
  const allowed = allowedActions(stack, 'RelayFunction');
  const ofSagas = Object.entries(allowed).filter(([resource]) => resource.includes('Sagas'));
  // For marks that share a call, as those of a run do when they meet: the journey of the deployment proof has some.
  return actionsIn(ofSagas).filter((action) => action !== 'PartiQLUpdate');
}

function grantedActions(strategy: 'index' | 'scan'): string[] {
  const stack = unbundledStack();
  const endpoint = new MessageEndpoint(stack, 'Orders', {
    function: inlineFunction(stack, 'OrdersFunction'),
    outboxTable: new OutboxTable(stack, 'Outbox', { relayIndex: strategy === 'index' }),
  });
  new OutboxRelay(stack, 'Relay', { endpoints: [endpoint] });
  return actionsIn(Object.entries(allowedActions(stack, 'RelayFunction')));
}

function actionsIn(allowed: readonly (readonly [resource: string, actions: readonly string[]])[]): string[] {
  return allowed
    .flatMap(([resource, actions]) =>
      actions.map((action) => `${action}${resource.includes('/index/') ? ' index' : ''}`),
    )
    .filter((action) => action.startsWith('dynamodb:'))
    .map((action) => action.replace('dynamodb:', ''))
    .toSorted();
}

describe('the permissions of the relay', () => {
  it.each(['index', 'scan'] as const)(
    'are those of its calls, no fewer and no more (%s)',
    async (strategy) => {
      expect(grantedActions(strategy)).toEqual(await actionsOfRun(strategy));
    },
  );

  it.each([true, false])(
    'on a table of sagas with an embedded outbox are those of its calls, too (index: %s)',
    async (isIndexed) => {
      expect(grantedOnSagas(isIndexed)).toEqual(await actionsOnSagas(isIndexed));
    },
  );
});
