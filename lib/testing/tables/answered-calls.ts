import { AsyncLocalStorage } from 'node:async_hooks';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { configurationError } from '../../kernel/errors/errors.ts';
import { testDefaults } from '../test-defaults.ts';
import { Refused } from './expression-tokens.ts';
import { answerRead, type Input } from './table-reads.ts';
import type { TestTables } from './test-tables.ts';

const runningOn = new AsyncLocalStorage<TestTables>();

/** Runs handlers whose calls of DynamoDB, by any client of the SDK, are answered from the tables of a test. */
export function answeringFrom<T>(tables: TestTables, run: () => T): T {
  interceptSends();
  return runningOn.run(tables, run);
}

/** What the SDK's clients and commands have in common: also those of its document client. */
interface AnyClient {
  readonly config?: { readonly serviceId?: string; readonly translateConfig?: unknown };
}
interface AnyCommand {
  resolveMiddleware(
    stack: unknown,
    config: unknown,
    options: unknown,
  ): (command: unknown) => Promise<{ readonly output: unknown }>;
}
type Send = (this: AnyClient, command: AnyCommand, ...others: unknown[]) => unknown;

let isIntercepting = false;

/** Once, in the class that all clients extend: handlers have clients of their own, which no test hands over. */
function interceptSends(): void {
  if (isIntercepting) return;
  isIntercepting = true;
  const prototype: { send: Send } = Object.getPrototypeOf(DynamoDBClient.prototype);
  const { send } = prototype;
  prototype.send = function (command, ...others) {
    const tables = runningOn.getStore();
    if (tables === undefined || this.config?.serviceId !== 'DynamoDB')
      return send.call(this, command, ...others);
    const callback = others.find((other) => typeof other === 'function') as
      | ((error: unknown, output?: unknown) => void)
      | undefined;
    const answer = answered(this, command);
    if (callback === undefined) return answer;
    return answer.then((output) => callback(null, output), callback);
  };
}

/**
 * The SDK's own way of a command, by a client that gets its answers here: with the checks of the command, and the
 * types of the document client.
 */
async function answered(
  { config: { translateConfig } = {} }: AnyClient,
  command: AnyCommand,
): Promise<unknown> {
  const { config, middlewareStack } = answeredClient();
  const handler = command.resolveMiddleware(middlewareStack, { ...config, translateConfig }, undefined);
  return (await handler(command)).output;
}

let client: DynamoDBClient | undefined;

function answeredClient(): DynamoDBClient {
  client ??= new DynamoDBClient({
    region: testDefaults.region,
    endpoint: 'http://127.0.0.1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
    requestHandler: {
      handle: async ({ headers, body }: { headers: Record<string, string>; body: string | Uint8Array }) => ({
        response: response(
          headers['x-amz-target']?.split('.')[1] ?? '',
          JSON.parse(textOf(body), withBinaries),
        ),
      }),
    } as never,
  });
  return client;
}

function response(operation: string, input: Input) {
  try {
    const answer = answerRead(runningOn.getStore() as TestTables, operation, input);
    if (answer) return httpResponse(200, answer);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return httpResponse(400, {
      __type: 'com.amazon.coral.validate#ValidationException',
      message: error.message,
    });
  }
  const { TableName: tableName = 'a table' } = input;
  throw configurationError(
    'the test kit',
    `a handler calls ${operation} of '${tableName}', which the test kit does not do`,
    'Write with transaction.add, or test with a DynamoDB engine',
  );
}

function textOf(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

function httpResponse(statusCode: number, body: object) {
  return {
    statusCode,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: Buffer.from(JSON.stringify(body, withBase64)),
  };
}

/** An attribute of that name has an object for its value. */
function withBinaries(name: string, value: unknown): unknown {
  if (name === 'B' && typeof value === 'string') return Buffer.from(value, 'base64');
  const isSet = name === 'BS' && Array.isArray(value);
  return isSet ? value.map((element) => Buffer.from(element as string, 'base64')) : value;
}

/** A replacer for `JSON.stringify`: bytes become base64. It reads the holder, as `value` has gone through `toJSON`. */
function withBase64(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const given = this[name];
  return given instanceof Uint8Array ? Buffer.from(given).toString('base64') : value;
}
