import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addressOf } from '../../lib/messages/destinations/destination.ts';
import { schedulerSetting } from '../../lib/settings/sending.ts';
import { encode, type Setting } from '../../lib/settings/setting.ts';
import { allSettings } from '../support/all-settings.ts';

const environment = {
  SAGABOX_ACCOUNT_ID: '123456789012',
  SAGABOX_ENDPOINT: 'orders',
  AWS_REGION: 'eu-west-1',
};
/** A string as names and ARNs are: what is empty, or begins as JSON, says something else. */
const name = fc.string({ minLength: 1 }).filter((text) => !text.startsWith('{'));
const queueName = fc.stringMatching(/^[\w-]{1,80}$/);
const queueUrl = queueName.map((queue) => `https://sqs.eu-west-1.amazonaws.com/123456789012/${queue}`);
const topicArn = queueName.map((topic) => `arn:aws:sns:us-east-1:123456789012:${topic}`);
const busArn = queueName.map((bus) => `arn:aws:events:eu-west-1:123456789012:event-bus/${bus}`);
const text = fc.string();
const count = fc.integer({ min: 1 });
const table = fc.record({
  tableName: name,
  partitionKeyName: name,
  sortKeyName: name,
  timeToLiveAttributeName: name,
});
const dictionary = <T>(value: fc.Arbitrary<T>) => fc.dictionary(name, value, { noNullPrototype: true });
const someOf = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { requiredKeys: [] });

/** The values that are to come back, by variable. */
const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  SAGABOX_ENDPOINT: text,
  SAGABOX_OPERATION: text,
  SAGABOX_ACCOUNT_ID: text,
  SAGABOX_MAX_RECEIVE_COUNT: count,
  SAGABOX_ERROR_QUEUE: queueUrl,
  SAGABOX_LOCKING: fc.constantFrom('optimistic', 'pessimistic'),
  SAGABOX_DEDUPLICATION_PERIOD_SECONDS: fc.oneof(
    count,
    fc.double({ min: 0.001, noNaN: true, noDefaultInfinity: true }),
  ),
  SAGABOX_EMBEDDED_OUTBOX: fc.boolean(),
  SAGABOX_METRICS_NAMESPACE: name,
  SAGABOX_METRICS_BY_MESSAGE_TYPE: fc.boolean(),
  SAGABOX_SAGA_TABLE: table,
  SAGABOX_OUTBOX_TABLE: table,
  SAGABOX_DESTINATIONS: dictionary(fc.oneof(queueUrl, topicArn, busArn)),
  SAGABOX_PUBLISH_TO: fc.oneof(text, dictionary(text)),
  SAGABOX_SCHEDULER: fc.record(
    { groupName: text, roleArn: text, deadLetterArn: text, kmsKeyArn: text },
    { requiredKeys: ['groupName', 'roleArn'] },
  ),
  SAGABOX_CLAIM_CHECK: fc.record(
    { bucketName: text, thresholdBytes: count, retention: fc.record({ days: count }) },
    { requiredKeys: ['bucketName'] },
  ),
  SAGABOX_RELAY: someOf({
    olderThanSeconds: count,
    strategy: fc.constantFrom('scan', 'stream'),
    maxReadUnitsPerSecond: count,
    endpoints: fc.array(text),
    watched: fc.array(fc.record({ table, mapping: text })),
    exceptions: dictionary(dictionary(fc.oneof(text, dictionary(text)))),
  }),
  SAGABOX_WATCHER: fc.record(
    { tables: fc.array(table), endpoints: fc.array(text) },
    { requiredKeys: ['tables'] },
  ),
};

/** Destinations come back with the kinds of their addresses, and a mode as a `Locking`. */
function asWritten(value: unknown): unknown {
  if (!(value instanceof Map)) return Object(value).mode ?? value;
  return Object.fromEntries([...value].map(([key, destination]) => [key, addressOf(destination)]));
}

describe('a setting', () => {
  it.each(allSettings)('$variable comes back as it was written', (setting) => {
    const { variable, decode } = setting;
    const arbitrary = values[variable];
    if (arbitrary === undefined) throw new Error(`No value of ${variable} is known here`);
    fc.assert(
      fc.property(arbitrary, (value) => {
        expect(asWritten(decode(encode(setting as Setting<unknown>, value), environment))).toEqual(value);
      }),
    );
  });

  it('is another one for each variable', () => {
    expect(allSettings.map(({ variable }) => variable).toSorted()).toEqual(Object.keys(values).toSorted());
  });
});

describe('what is written shorter', () => {
  it('is a scheduler by the names of its role and its queue', () => {
    fc.assert(
      fc.property(queueName, queueName, (roleName, deadLetterQueueName) => {
        const written = encode(schedulerSetting, { groupName: 'timeouts', roleName, deadLetterQueueName });
        expect(schedulerSetting.decode(written, environment)).toEqual({
          groupName: 'timeouts',
          roleArn: `arn:aws:iam::123456789012:role/${roleName}`,
          deadLetterArn: `arn:aws:sqs:eu-west-1:123456789012:${deadLetterQueueName}`,
        });
      }),
    );
  });
});
