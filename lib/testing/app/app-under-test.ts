import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { durationMs, wholeNumber } from '../../compose/settings.ts';
import {
  aDuration,
  aNonEmptyString,
  aNumber,
  anObject,
  anyValue,
  aString,
  assertOptionKinds,
} from '../../kernel/checks/checks.ts';
import type { Duration } from '../../kernel/duration.ts';
import { configurationError } from '../../kernel/errors/errors.ts';
import { headerNames } from '../../messages/headers.ts';
import type { JsonValue, OutgoingMessage } from '../../messages/message.ts';
import { type RequestedTimeout, separateTimeouts } from '../delivery-result.ts';
import { bodySentByTest } from '../sent-by-test.ts';
import type { SessionResult } from '../session/session-runner.ts';
import type { Item } from '../tables/item.ts';
import type { UnevaluatedCondition } from '../tables/test-tables.ts';
import { testDefaults } from '../test-defaults.ts';
import { testPage } from '../test-options.ts';
import { mappedSagas } from '../test-stores.ts';
import { timeAfter } from '../time-after.ts';
import type { AppEndpoint, AppSession, TestAppOptions } from './app-options.ts';
import type { AppEndpointView, AppSendOptions, FailureOptions, MessageFilter, SagaOf } from './app-types.ts';
import type { AppDelivery, EndpointInApp } from './endpoint-in-app.ts';
import { RunningApp } from './running-app.ts';
import type { NewMessage } from './test-queue.ts';

const publishChecks = { id: aNonEmptyString, headers: anObject };
const sendChecks = {
  ...publishChecks,
  replyTo: aNonEmptyString,
  delay: aDuration,
  messageGroupId: aString,
} satisfies Record<keyof Required<AppSendOptions>, unknown>;

/** What a test does to an app, and sees of it. */
export class AppUnderTest {
  readonly #app: RunningApp;
  #sent = 0;

  constructor(endpoints: readonly (AppEndpoint | AppSession)[], options: TestAppOptions) {
    this.#app = new RunningApp(endpoints, options);
  }

  get now(): Date {
    return this.#app.now;
  }

  send(name: string, type: string, body: unknown, options: AppSendOptions = {}): string {
    assertOptionKinds('testApp: send', options, sendChecks, { page: testPage });
    const { queue } = this.#app.endpoint(name);
    const message = this.#newMessage(name, type, body, options);
    const { messageGroupId = queue.isFifo ? message.id : undefined, delay } = options;
    if (delay !== undefined && queue.isFifo) {
      const remedy = 'Advance the clock, and send then';
      throw configurationError(
        'testApp: delay',
        'a FIFO queue takes no message with a delay of its own',
        remedy,
      );
    }
    const attributes = attributesOf(message);
    const json = bodySentByTest(type, name, body, attributes);
    const queued: NewMessage = {
      messageId: message.id,
      type,
      body: json,
      attributes,
      ...(messageGroupId !== undefined && { messageGroupId }),
    };
    queue.put(queued, this.now, delay === undefined ? 0 : durationMs('testApp: delay', delay) / 1000);
    return message.id;
  }

  publish(topic: string, type: string, body: unknown, options: AppSendOptions = {}): string {
    assertOptionKinds('testApp: publish', options, publishChecks, { page: testPage });
    const { destinations } = this.#app.network;
    const destination = destinations.get(topic);
    if (destination === undefined || destination.kind === 'queue') {
      const known = [...destinations.values()].filter(({ kind }) => kind !== 'queue').map(({ name }) => name);
      const problem = `'${topic}' is no topic or event bus of the app (known: ${known.join(', ')})`;
      throw configurationError(
        'testApp: publish',
        problem,
        "Name it in an endpoint's publishTo or subscribesTo",
      );
    }
    const message = this.#newMessage(topic, type, body, options);
    bodySentByTest(type, topic, body, attributesOf(message));
    this.#app.network.publish(message);
    return message.id;
  }

  async run(name: string, event: unknown): Promise<SessionResult<unknown>> {
    return await this.#app.session(name).run(event);
  }

  async deliverAll(): Promise<readonly AppDelivery[]> {
    return await this.#app.deliverUntil(this.now);
  }

  async advance(duration: Duration): Promise<readonly AppDelivery[]> {
    return await this.#app.deliverUntil(timeAfter(this.now, duration));
  }

  fail(name: string, type: string, options: FailureOptions = {}): void {
    assertOptionKinds('testApp: fail', options, { times: aNumber, error: anyValue }, { page: testPage });
    const { times = 1, error = plannedError(name, type) } = options;
    const { messageTypes } = this.#app.endpoint(name);
    if (!messageTypes.includes(type)) {
      const problem = `endpoint '${name}' takes no '${type}' (known: ${messageTypes.join(', ')})`;
      throw configurationError('testApp: fail', problem, 'Name one of these');
    }
    this.#app.failures.add(name, type, wholeNumber('testApp: fail: times', times, 1), error);
  }

  redeliver(name: string, which: MessageFilter = {}): number {
    assertOptionKinds('testApp: redeliver', which, { type: aString, id: aString }, { page: testPage });
    const { queue } = this.#app.endpoint(name);
    const copies = queue.done.filter(isMeantBy(which));
    if (copies.length === 0) {
      const problem = `endpoint '${name}' was delivered no ${describeFilter(which)}`;
      throw configurationError('testApp: redeliver', problem, 'Deliver it first, with deliverAll');
    }
    for (const message of copies) queue.putCopy(message, this.now);
    return copies.length;
  }

  redrive(name: string, which: MessageFilter = {}): number {
    const { queue, failed } = this.#app.endpoint(name);
    const isMeant = isMeantBy(which);
    const moved = failed.filter(({ message }) => isMeant(message));
    for (const each of moved) {
      failed.splice(failed.indexOf(each), 1);
      const attributes = { ...each.message.attributes, [headerNames.redriven]: 'true' };
      queue.putCopy({ ...each.message, attributes }, this.now);
    }
    return moved.length;
  }

  endpoint(name: string): AppEndpointView {
    const session = this.#app.sessions.get(name);
    if (session) return session;
    const endpoint = this.#app.endpoint(name);
    const timeouts = () => this.#timeoutsOf(endpoint);
    return {
      get outgoing(): readonly OutgoingMessage[] {
        return separateTimeouts(endpoint.outgoing, name, new Date(0)).outgoing;
      },
      get timeouts(): readonly RequestedTimeout[] {
        return timeouts();
      },
      get transactionItems(): readonly TransactWriteItem[] {
        return endpoint.transactionItems;
      },
      discarded: endpoint.discarded,
      get errorQueue() {
        return endpoint.failed.map(({ shown }) => shown);
      },
    };
  }

  get unevaluatedConditions(): readonly UnevaluatedCondition[] {
    return this.#app.tables.unevaluated;
  }

  items(tableName: string): readonly Item[] {
    return this.#app.tables.items(tableName);
  }

  sentTo(destination: string): readonly OutgoingMessage[] {
    return this.#app.network.sentOutside.filter((message) => message.destination === destination);
  }

  state<State>({ name }: SagaOf<State>, sagaId: string | number): State | undefined {
    const handles = (endpoint: EndpointInApp) =>
      endpoint.definitions.some((definition) => definition.kind === 'saga' && definition.name === name);
    const endpoint = [...this.#app.endpoints.values()].find(handles);
    if (endpoint === undefined) {
      const problem = `no endpoint of the app has the saga '${name}'`;
      throw configurationError('testApp: state', problem, "Give it to one, in 'handles'");
    }
    const sagas = mappedSagas(this.#app.storage, endpoint.mapper);
    return sagas.read({ name, id: String(sagaId) }).stored?.readState() as State | undefined;
  }

  isCompleted({ name }: SagaOf<unknown>, sagaId: string | number): boolean {
    return this.#app.isCompleted(name, String(sagaId));
  }

  /** Messages to itself in its queue or in a schedule, the earliest first. */
  #timeoutsOf({ name, queue }: EndpointInApp): RequestedTimeout[] {
    const isOwn = ({ headers }: OutgoingMessage) => headers[headerNames.replyTo] === name;
    const queued = queue.messages.flatMap(({ sent, visibleAt, receiveCount }) =>
      sent && isOwn(sent) && receiveCount === 0 && visibleAt > this.now ? [timeoutOf(sent, visibleAt)] : [],
    );
    const scheduled = this.#app.network.scheduler.waiting.flatMap(({ message, dueAt }) =>
      message.destination === name && isOwn(message) ? [timeoutOf(message, dueAt)] : [],
    );
    return [...queued, ...scheduled].toSorted((one, other) => +one.dueAt - +other.dueAt);
  }

  #newMessage(destination: string, type: string, body: unknown, options: AppSendOptions): OutgoingMessage {
    this.#sent += 1;
    const { id = `message-${this.#sent}`, replyTo = testDefaults.sender } = options;
    const headers = {
      [headerNames.replyTo]: replyTo,
      [headerNames.sentAt]: this.now.toISOString(),
      ...options.headers,
    };
    return { id, destination, type, body: body as JsonValue, headers };
  }
}

function timeoutOf(
  { delaySeconds, dueAt: _stated, ...message }: OutgoingMessage,
  dueAt: Date,
): RequestedTimeout {
  return { ...message, dueAt };
}

function attributesOf({ id, type, headers }: OutgoingMessage): Record<string, string> {
  return { ...headers, [headerNames.messageId]: id, [headerNames.messageType]: type };
}

function plannedError(endpoint: string, type: string): Error {
  return new Error(`The test has '${type}' fail at endpoint '${endpoint}'`);
}

function isMeantBy({ type, id }: MessageFilter) {
  return (message: NewMessage) =>
    (type === undefined || message.type === type) && (id === undefined || message.messageId === id);
}

function describeFilter({ type, id }: MessageFilter): string {
  const named = [type, id].filter((part) => part !== undefined).map((part) => `'${part}'`);
  return named.length === 0 ? 'message' : `message ${named.join(' ')}`;
}
