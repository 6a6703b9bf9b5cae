import { describe, expect, it } from '@jest/globals';
import { idempotencyKeyHeader } from 'sagabox';
import { sqsRecord } from 'sagabox/testing';
import { itemSize } from '../../lib/dynamodb/item-size.ts';
import { roundedIntegerIn } from '../../lib/kernel/values/rounded-integer.ts';
import { readEnvelope } from '../../lib/messages/envelope.ts';
import { describeError } from '../../lib/messages/failures/failure-facts.ts';
import { failureAttributes } from '../../lib/messages/failures/failure-message.ts';
import { fingerprintOf } from '../../lib/messages/fingerprint.ts';
import { isTraceParent } from '../../lib/messages/headers.ts';
import { encodeForSqs } from '../../lib/messages/wire-format/sqs-characters.ts';
import { wireJson } from '../../lib/messages/wire-format/wire-json.ts';
import { logLine } from '../../lib/observe/logs/log-line.ts';
import { loggedError } from '../../lib/observe/logs/logged-error.ts';
import { readTraceHeaders } from '../../lib/observe/tracing/trace-context.ts';
import { readXRayHeader } from '../../lib/observe/tracing/xray-header.ts';
import { isPartId, readRequestId } from '../../lib/patterns/scatter-gather/address.ts';
import { bodyJson } from '../../lib/sending/body-json.ts';
import { sessionRequest } from '../../lib/session/session-request.ts';
import { httpApiEvent, restApiEvent } from '../support/http-events.ts';
import { cells } from '../support/samples.ts';
import { growthOver } from './growth.ts';

/** The largest event that Lambda takes of a caller, and the largest message of a queue. */
const HTTP_BYTES = 6 * 1024 * 1024;
const SQS_BYTES = 1024 * 1024;

const uuid = '0f9c2d1e-0000-8000-8000-000000000000';
const fill = (part: string, size: number) => part.repeat(Math.max(1, Math.floor(size / part.length)));

/** Texts of so many characters as somebody outside may send them. */
const texts: Readonly<Record<string, (size: number) => string>> = {
  'zeros in a number': (size) => `{"n":1${fill('0', size)}1}`,
  'zeros behind the point': (size) => `{"n":0.${fill('0', size)}1}`,
  'digits of an exponent': (size) => `{"n":1e${fill('0', size)}1}`,
  'many numbers that are rounded': (size) => `[${fill('9007199254740993,', size)}1]`,
  'many names': (size) => `{${fill('"9007199254740993":9007199254740993,', size)}"a":1}`,
  'lists in lists': (size) => `${fill('[', size / 2)}${fill(']', size / 2)}`,
  'objects in objects': (size) => `${fill('{"a":', size)}-0${fill('}', size / 6)}`,
  'no end': (size) => fill('[1e5,', size),
  quotes: (size) => fill('"', size),
  escapes: (size) => JSON.stringify(fill('\\"', size)),
  'line breaks': (size) => JSON.stringify(fill('\n', size)),
  'what SQS refuses': (size) => JSON.stringify(fill('\uFFFE', size)),
  slashes: (size) => JSON.stringify(fill('/', size)),
  'request ids': (size) => JSON.stringify(fill(`/${uuid}/0/`, size)),
  'names of secrets': (size) => JSON.stringify(fill('"api-key":"', size)),
  'secrets of a URL': (size) => JSON.stringify(fill('//a:token=b', size)),
  'digits in a string': (size) => JSON.stringify({ id: fill('9', size), n: 1e20 }),
  'exponents in a string': (size) => JSON.stringify({ id: fill('1.1e+21', size), n: 1e21 }),
  'a CloudEvent of a long type': (size) =>
    JSON.stringify({ specversion: '1.0', id: '1', source: fill('%#', size), type: 'a', data: 1 }),
  'a CloudEvent with a long content type': (size) =>
    JSON.stringify({
      ...{ specversion: '1.0', id: '1', source: 's', type: 'a', data_base64: 'MQ==' },
      datacontenttype: fill('/json ', size),
    }),
};

const httpRequests: Readonly<Record<string, (text: string) => unknown>> = {
  'an HTTP API': (body) => httpApiEvent({ body, headers: { 'idempotency-key': 'k1' } }),
  'a REST API': (body) => restApiEvent({ body, headers: { 'idempotency-key': 'k1' } }),
  'a body in base64': (body) => ({
    ...httpApiEvent({ headers: { 'idempotency-key': 'k1' } }),
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  }),
  'a key in quotes': (key) => httpApiEvent({ headers: { 'idempotency-key': `"${key}` } }),
  'a key': (key) => httpApiEvent({ headers: { 'idempotency-key': key } }),
  'a route': (route) => ({ ...httpApiEvent(), routeKey: `POST${route}` }),
  'a path': (path) => httpApiEvent({ path, query: path, headers: { 'idempotency-key': 'k1' } }),
};

function outcomeOf(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

const rules = { endpoint: 'orders', idempotencyKey: idempotencyKeyHeader() };

function handleRequest(event: unknown): void {
  const request = outcomeOf(() => sessionRequest(event, rules, {}, () => 'new'));
  const { content } = Object(request);
  fingerprintOf({ type: '', body: content });
}

function handleMessage(body: string): void {
  const read = outcomeOf(() => readEnvelope(sqsRecord({ rawBody: body, type: 'A', id: 'm1' })));
  outcomeOf(() => readEnvelope(sqsRecord({ rawBody: body })));
  const { body: value } = Object(read);
  fingerprintOf({ type: 'A', body: value });
  roundedIntegerIn(body, value);
  outcomeOf(() =>
    bodyJson(value, (detail) => {
      throw new Error(detail);
    }),
  );
}

/** What takes a single value of a message: a header, an id, or what an error tells of it. */
function handleString(value: string): void {
  isTraceParent(value);
  readTraceHeaders({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: value });
  readXRayHeader(value);
  isPartId(value);
  outcomeOf(() => readRequestId(value));
  encodeForSqs(value);
  wireJson(value);
  itemSize({ S: { S: value }, N: { N: value }, NS: { NS: [value] } });
  const error = new Error(value);
  loggedError(error);
  const changed = Object.assign(new Error('a'), { stack: value });
  loggedError(changed);
  logLine({ timestamp: '2026-01-01', level: 'INFO', message: value }, { value, error });
  const facts = { ...describeError(error), queue: 'q', failedAt: '2026-01-01', receiveCount: 1 };
  failureAttributes({ id: value, body: value, attributes: {} }, facts);
  outcomeOf(() =>
    readEnvelope(sqsRecord({ type: value, headers: { 'Sagabox.Headers': value, 'content-type': value } })),
  );
}

const names = Object.keys(texts);
/** What is read as a string, and never as JSON. */
const strings = [
  'quotes',
  'escapes',
  'line breaks',
  'what SQS refuses',
  'slashes',
  'request ids',
  'names of secrets',
  'secrets of a URL',
  'digits in a string',
];
const numbers = ['zeros in a number', 'many numbers that are rounded', 'lists in lists'];
const places = Object.keys(httpRequests);

const textOf = (name: string, size: number) => (texts[name] as (size: number) => string)(size);

describe('the time that a text from outside takes grows as the text', () => {
  it.each(cells(names, (name) => numbers.includes(name)))('in the body of a message: %s', (name) => {
    const callFor = (size: number) => {
      const body = textOf(name, size);
      return () => handleMessage(body);
    };
    expect(growthOver(callFor, SQS_BYTES)).toBeUndefined();
  });

  it.each(cells(strings, (name) => name === 'quotes'))('in a header, an id or an error: %s', (name) => {
    const callFor = (size: number) => {
      const value = textOf(name, size);
      return () => handleString(value);
    };
    expect(growthOver(callFor, SQS_BYTES)).toBeUndefined();
  });

  it('in an attribute value: zeros in a number', () => {
    const callFor = (size: number) => {
      const N = `1${fill('0', size)}1`;
      return () => itemSize({ N: { N }, NS: { NS: [N] } });
    };
    expect(growthOver(callFor, SQS_BYTES)).toBeUndefined();
  });

  const requests = [
    ...names.map((name) => ['an HTTP API', name, HTTP_BYTES] as const),
    ...places.flatMap((place) =>
      (place.includes('body') || place.includes('REST') ? numbers : strings).map(
        (name) => [place, name, SQS_BYTES] as const,
      ),
    ),
  ];

  it.each(cells(requests, ([, name, bytes]) => bytes === HTTP_BYTES && numbers.includes(name)))(
    'in %s: %s, up to %i bytes',
    (place, name, bytes) => {
      const callFor = (size: number) => {
        const event = httpRequests[place]?.(textOf(name, size));
        return () => handleRequest(event);
      };
      expect(growthOver(callFor, bytes)).toBeUndefined();
    },
  );
});
