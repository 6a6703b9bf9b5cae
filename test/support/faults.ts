import * as dynamoDB from '@aws-sdk/client-dynamodb';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { S3Client } from '@aws-sdk/client-s3';
import type { SchedulerClient } from '@aws-sdk/client-scheduler';
import type { SNSClient } from '@aws-sdk/client-sns';
import * as sqs from '@aws-sdk/client-sqs';
import { interceptCalls } from './intercepted-calls.ts';

/** One request of a client; the SDK's own retries make several of one `send`. */
export interface RecordedRequest {
  /** For example 'PutItem'. */
  readonly operation: string;
  // biome-ignore lint/suspicious/noExplicitAny: each operation has an input of its own
  readonly input: any;
  /** Absent when the request was refused, or its answer got lost. */
  // biome-ignore lint/suspicious/noExplicitAny: each operation has an output of its own
  output?: any;
}

/** A client whose requests can be recorded, and made to fail. */
export type FaultyClient =
  | dynamoDB.DynamoDBClient
  | sqs.SQSClient
  | SNSClient
  | EventBridgeClient
  | SchedulerClient
  | S3Client;
type Proceed = () => Promise<unknown>;
/** Stands in for a request, and can let it go on to the engine. */
export type Fault = (input: RecordedRequest['input'], proceed: Proceed) => unknown;

interface PlannedFault {
  readonly operation: string;
  readonly fault: Fault;
}

/**
 * Records the requests of one client, and makes the next ones fail. It stands behind the SDK's retries: what
 * the SDK takes for a passing failure is tried again by it, as in production.
 *
 * @example
 * ```ts
 * const client = dynamoDBClient();
 * const faults = new ClientFaults(client);
 * faults.loseAnswer('PutItem');
 * await client.send(new PutItemCommand(…));
 * expect(faults.operations).toEqual(['PutItem', 'PutItem']);
 * ```
 */
export class ClientFaults {
  readonly requests: RecordedRequest[] = [];
  readonly #planned: PlannedFault[] = [];

  constructor(client: FaultyClient) {
    interceptCalls(client, 'request', async ({ operation, input, proceed }) => {
      const request: RecordedRequest = { operation, input };
      this.requests.push(request);
      const fault = this.#take(operation) ?? passOn;
      request.output = await fault(input, () => proceed());
      return request.output;
    });
  }

  /** The operations of the requests, in order. */
  get operations(): string[] {
    return this.requests.map((request) => request.operation);
  }

  /** What stands in for the next request of an operation; faults planned for one operation wait in line. */
  plan(operation: string, fault: Fault, times = 1): void {
    for (let time = 0; time < times; time += 1) this.#planned.push({ operation, fault });
  }

  /** The engine never sees the next requests. */
  fail(operation: string, error: Error, times = 1): void {
    this.plan(operation, () => Promise.reject(error), times);
  }

  /** The engine answers the next request, but the answer never comes back. */
  loseAnswer(operation: string): void {
    this.plan(operation, async (_input, proceed) => {
      await proceed();
      throw connectionLost();
    });
  }

  /** The next request gets this answer, and the engine never sees it. */
  answer(operation: string, output: object): void {
    this.plan(operation, async () => ({ $metadata: {}, ...output }));
  }

  /** Planned faults that no request has met yet. */
  get pending(): number {
    return this.#planned.length;
  }

  /** Forgets the requests and the faults that are still to come. */
  reset(): void {
    this.requests.length = 0;
    this.#planned.length = 0;
  }

  #take(operation: string): Fault | undefined {
    const index = this.#planned.findIndex((planned) => planned.operation === operation);
    return index === -1 ? undefined : this.#planned.splice(index, 1)[0]?.fault;
  }
}

/** The names of what DynamoDB answers for a while, to any call. */
export const passingErrors = [
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'InternalServerError',
  'ServiceUnavailable',
] as const;

/** An error as DynamoDB answers it; `facts` are the members of the exception. */
export function dynamoDBError(name: string, facts: object = {}): Error {
  return Object.assign(serviceError(dynamoDB, dynamoDB.DynamoDBServiceException, name), facts);
}

/** An error as SQS answers it. */
export function sqsError(name: string): Error {
  return serviceError(sqs, sqs.SQSServiceException, name);
}

/** An error as any service of AWS answers it. */
export function awsError(name: string): Error {
  return Object.assign(new Error(`${name} of the test`), { name, ...shape });
}

/** From here on the client sends each request once, so that a test of what fails for good need not wait. */
export function disableSdkRetries(client: FaultyClient): void {
  const token = { getRetryCount: () => 0, getRetryDelay: () => 0 };
  client.config.retryStrategy = async () => ({
    acquireInitialRetryToken: async () => token,
    refreshRetryTokenForRetry: () => Promise.reject(new Error('Retries are disabled')),
    recordSuccess: () => {},
  });
}

/** What the SDK sees when the connection breaks: it sends the request again. */
export function connectionLost(): Error {
  return Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
}

const passOn: Fault = (_input, proceed) => proceed();

type ServiceErrorClass = new (options: typeof shape & { name: string; message: string }) => Error;
const shape = { $fault: 'client', $metadata: {} } as const;

/** Of the exception's own class where the SDK has one, as its deserializer makes them. */
function serviceError(sdk: object, base: ServiceErrorClass, name: string): Error {
  const exceptions = sdk as Record<string, ServiceErrorClass | undefined>;
  return new (exceptions[name] ?? base)({ ...shape, name, message: `${name} of the test` });
}
