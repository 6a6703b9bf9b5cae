import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import {
  type CreateHandlerOptions,
  type RelayHandler,
  relayOutbox,
  type SqsBatchHandler,
  type WatchHandler,
  watchOutbox,
} from 'sagabox';
import { sagaOutboxOf } from '../../../lib/compose/handler/saga-outbox.ts';
import { sqsBatchOf } from '../../../lib/compose/handler/sqs-batch.ts';
import type { SagaOutboxForm } from '../../../lib/saga/definition/outbox-form.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { ConditionalSagaStore } from '../../support/conditional-saga-store.ts';
import type { Tally } from '../../support/tally.ts';
import type { Journal } from '../fleet/journal.ts';
import type { Resources } from '../resources.ts';
import { accountSaga, messageTypes } from './account-saga.ts';
import { endpointName, ledgerDestination } from './entry.ts';
import { changesForm, lockings, type Mode, modes, outboxForm, releasesPerRound } from './modes.ts';
import { notices, noticeTypes } from './notices.ts';
import { identity } from './request.ts';
import { sessions } from './sessions.ts';
import { withRequests } from './with-requests.ts';

export interface EndpointSetup {
  readonly resources: Resources;
  readonly outbox: boolean;
  /** Whether it is of the part of a fleet that is a deployment ahead. */
  readonly isAhead: boolean;
  readonly dynamoDBClient: DynamoDBClient;
  readonly sqsClient: SQSClient;
  readonly tally: Tally;
  readonly journal: Journal;
  /** Which one is deployed, counted from 0. */
  readonly release: () => number;
  /** Whether a run of a handler is to fail. */
  readonly fails: () => boolean;
}

export interface Endpoint {
  readonly handler: SqsBatchHandler;
  /** By the list and by scan, in turn. */
  readonly relays: readonly [RelayHandler, RelayHandler];
  /** Of the stream of the table. */
  readonly watcher: WatchHandler;
}

/** Younger than a function may live: it meets functions that are still about to dispatch. */
const olderThan = { seconds: 1 };

type LooseHandler = (message: { type: string }, context: unknown) => Promise<unknown>;

/** One handler of all message types, with a locking mode and outbox forms for each saga; an API function beside it. */
export function accountEndpoint(setup: EndpointSetup): Endpoint {
  const { resources, outbox, isAhead, dynamoDBClient, sqsClient, tally, journal, release, fails } = setup;
  const { table, markTable, queueUrl, ledgerQueueUrl, errorQueueUrl } = resources;
  const common = {
    endpoint: endpointName,
    outboxTable: { tableName: table },
    destinations: { [endpointName]: queueUrl, [ledgerDestination]: ledgerQueueUrl },
    dynamoDBClient,
    sqsClient,
    logger: silentLogger,
  };
  const onMessageOf =
    (form: SagaOutboxForm, mode?: Mode, ofRelease = 0): NonNullable<CreateHandlerOptions['onMessage']> =>
    ({ messageId, outcome, error }) => {
      tally.add(`outcome ${outcome}`);
      if (outcome === 'handled') {
        tally.add(`outbox ${form}`);
        if (mode) tally.add(`mode ${mode}`);
        if (mode && changesForm(mode)) tally.add(`change ${mode} ${ofRelease + 1} ${form}`);
      }
      journal.note(`${outcome}${error === undefined ? '' : `: ${error}`}`, [messageId]);
    };
  const others: CreateHandlerOptions = {
    outbox,
    errorQueueUrl,
    recoverability: { delayedRetries: { baseDelay: { seconds: 1 }, maxDelay: { seconds: 2 } } },
    onMessage: onMessageOf('records'),
    onEvent: ({ type }) => tally.add(`event ${type}`),
  };
  const options: CreateHandlerOptions = { ...common, ...others, sagaTable: { tableName: table } };
  const sagaHandler = (mode: Mode, ofRelease: number): LooseHandler => {
    const form = outbox ? outboxForm(mode, ofRelease, isAhead) : 'records';
    const saga = accountSaga({ mode, outbox: form, markTable, fails });
    return middy(saga.handler as never).use(
      sagaOutboxOf({
        ...options,
        onMessage: onMessageOf(form, mode, ofRelease),
        saga,
        locking: lockings[mode],
        ...(mode === 'ownStore' && outbox && { sagaStore: new ConditionalSagaStore(dynamoDBClient, table) }),
      }) as never,
    ) as unknown as LooseHandler;
  };
  const handlers = new Map<string, LooseHandler>();
  for (const mode of modes) {
    const releases = Array.from({ length: releasesPerRound }, (_, ofRelease) => sagaHandler(mode, ofRelease));
    const handler: LooseHandler = async (message, context) =>
      await releases[release() % releasesPerRound]?.(message, context);
    for (const typeOf of Object.values(messageTypes)) handlers.set(typeOf(mode), handler);
  }
  const withoutSaga = middy(notices({ markTable, fails }).handler as never).use(
    sagaOutboxOf({ ...common, ...others }) as never,
  ) as unknown as LooseHandler;
  for (const type of Object.values(noticeTypes)) handlers.set(type, withoutSaga);
  const route: LooseHandler = async (message, context) =>
    await handlers.get(message.type)?.(message, context);
  const respond = sessions({
    markTable,
    session: {
      ...common,
      ...identity,
      onMessage: ({ outcome }) => {
        tally.add(`session ${outcome}`);
        if (outcome === 'handled') tally.add('outbox records');
      },
    },
    isExclusive: isAhead,
    fails,
  });
  const relay = { ...common, sagaTable: { tableName: table }, olderThan, leaseDuration: { seconds: 2 } };
  return {
    handler: withRequests(sqsBatchOf(route, options), { respond, tally, journal }),
    relays: [
      relayOutbox({ ...relay, strategy: 'stream' }),
      relayOutbox({ ...relay, strategy: 'scan', maxReadUnitsPerSecond: 500, segments: 4 }),
    ],
    watcher: watchOutbox({ dynamoDBClient, logger: silentLogger }),
  };
}
