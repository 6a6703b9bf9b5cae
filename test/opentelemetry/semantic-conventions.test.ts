import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Attributes } from '@opentelemetry/api';
import * as conventions from '@opentelemetry/semantic-conventions/incubating';
import { createProducer } from 'sagabox';
import { openTelemetry, semanticConventionsVersion } from 'sagabox/opentelemetry';
import { type ExportedSpans, exportSpans } from '../support/exported-spans.ts';
import { placed, TracedSample } from '../support/traced-sample.ts';

const published = conventions as Readonly<Record<string, unknown>>;
const constants = (prefix: string) =>
  Object.entries(published).flatMap(([name, value]) => (name.startsWith(prefix) ? [value] : []));

/** Of the package's own: what the conventions have replaced, which it still holds. */
const deprecated = ['messaging.system', 'messaging.operation'];

let exported: ExportedSpans;

beforeEach(() => {
  exported = exportSpans();
});

afterEach(() => exported.end());

it('is the version that the spans name', async () => {
  // Not among the package's exports.
  const manifest = 'node_modules/@opentelemetry/semantic-conventions/package.json';
  const { version } = JSON.parse(await readFile(manifest, 'utf8'));
  expect(version).toBe(semanticConventionsVersion);
});

it('has the attributes of all spans, and their values', async () => {
  const sample = new TracedSample();
  await sample.invoke('orders', [placed('1'), { ...placed('2'), body: 'no JSON' }]);
  await sample.deliverAll(() => true);
  const sqsClient = { send: async () => ({}) } as never;
  const producer = createProducer({
    queueUrl: 'https://queues.test/Mail',
    sqsClient,
    tracing: openTelemetry(),
  });
  await producer.send('Mailed', {});
  await producer.sendBatch([{ type: 'Mailed', body: {} }]);

  const attributes = exported.spans().map((span) => span.attributes);
  const names = new Set(attributes.flatMap(Object.keys));
  const unknown = [...names].filter(
    (name) => !name.startsWith('sagabox.') && !constants('ATTR_').includes(name),
  );
  expect(unknown).toEqual([]);
  expect([...names].filter((name) => deprecated.includes(name))).toEqual([]);
  expect(valuesOf(attributes, 'messaging.operation.type')).toEqual(['create', 'process', 'send']);
  expect(constants('MESSAGING_OPERATION_TYPE_VALUE_')).toEqual(
    expect.arrayContaining(valuesOf(attributes, 'messaging.operation.type')),
  );
  const systems = valuesOf(attributes, 'messaging.system.name');
  expect(systems).toEqual(['aws.sns', 'aws.sqs']);
  expect(constants('MESSAGING_SYSTEM_NAME_VALUE_')).toEqual(expect.arrayContaining(systems));
  // It has none of EventBridge, whose value is ours until then.
  expect(
    constants('MESSAGING_SYSTEM_NAME_VALUE_').filter((name) => /eventbridge/i.test(String(name))),
  ).toEqual([]);
});

function valuesOf(attributes: readonly Attributes[], name: string): unknown[] {
  const values = attributes.flatMap((each) => (each[name] === undefined ? [] : [each[name]]));
  return [...new Set(values)].toSorted();
}
