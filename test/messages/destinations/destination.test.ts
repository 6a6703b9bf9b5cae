import { describe, expect, it } from '@jest/globals';
import {
  firstOf,
  parseDestinations,
  unknownDestination,
} from '../../../lib/messages/destinations/destination.ts';
import { refusalOf } from '../../sending/unit-of-work-of.ts';

describe('parseDestinations', () => {
  it('gives queues by name, and tells FIFO queues by theirs', () => {
    const billing = 'https://sqs.eu-west-1.amazonaws.com/123456789012/billing';
    const ledger = 'http://127.0.0.1:4566/000000000000/ledger.fifo';
    expect([...parseDestinations({ billing, ledger }, 'test')]).toEqual([
      ['billing', { kind: 'queue', name: 'billing', queueUrl: billing, fifo: false }],
      ['ledger', { kind: 'queue', name: 'ledger', queueUrl: ledger, fifo: true }],
    ]);
  });

  it('gives a queue or topic with the largest message that it takes, where that is told', () => {
    const address = 'https://queues.test/billing';
    const topicArn = 'arn:aws:sns:eu-west-1:123456789012:prices';
    const given = {
      least: { address, maxMessageSizeBytes: 1_024 },
      most: { address: topicArn, maxMessageSizeBytes: 1_048_576 },
      untold: { address },
    };
    expect([...parseDestinations(given, 'test').values()]).toEqual([
      { kind: 'queue', name: 'least', queueUrl: address, fifo: false, maxMessageSizeBytes: 1_024 },
      { kind: 'topic', name: 'most', topicArn, fifo: false, maxMessageSizeBytes: 1_048_576 },
      { kind: 'queue', name: 'untold', queueUrl: address, fifo: false },
    ]);
  });

  it.each([
    ['eu-west-1', undefined, 'aws', 'https://sqs.eu-west-1.amazonaws.com'],
    ['cn-north-1', undefined, 'aws-cn', 'https://sqs.cn-north-1.amazonaws.com.cn'],
    ['us-gov-west-1', undefined, 'aws-us-gov', 'https://sqs.us-gov-west-1.amazonaws.com'],
    ['us-iso-east-1', undefined, 'aws-iso', 'https://sqs.us-iso-east-1.c2s.ic.gov'],
    ['us-isob-east-1', undefined, 'aws-iso-b', 'https://sqs.us-isob-east-1.sc2s.sgov.gov'],
    ['eu-west-1', 'http://127.0.0.1:4566/', 'aws', 'http://127.0.0.1:4566'],
  ])('takes names, of the account and region of the function: in %s, at %s', (region, sqsEndpoint, ...to) => {
    const [partition, endpoint] = to;
    const accountId = '123456789012';
    const stated = {
      billing: 'Billing-1',
      ledger: { address: 'ledger.fifo', maxMessageSizeBytes: 2_000 },
      prices: 'sns:prices.fifo',
      company: 'events:company/all',
    };
    expect([...parseDestinations(stated, 'test', { accountId, region, sqsEndpoint }).values()]).toEqual([
      { kind: 'queue', name: 'billing', queueUrl: `${endpoint}/${accountId}/Billing-1`, fifo: false },
      {
        kind: 'queue',
        name: 'ledger',
        queueUrl: `${endpoint}/${accountId}/ledger.fifo`,
        fifo: true,
        maxMessageSizeBytes: 2_000,
      },
      {
        kind: 'topic',
        name: 'prices',
        topicArn: `arn:${partition}:sns:${region}:${accountId}:prices.fifo`,
        fifo: true,
      },
      {
        kind: 'eventBus',
        name: 'company',
        eventBusArn: `arn:${partition}:events:${region}:${accountId}:event-bus/company/all`,
      },
    ]);
  });

  it('takes none at all', () => {
    expect(parseDestinations({}, 'test').size).toBe(0);
  });

  it.each([null, undefined, 'https://queues.test', 7, ['https://queues.test/billing']])(
    'refuses %j, which is no object',
    (queueUrls) => {
      const error = refusalOf(() => parseDestinations(queueUrls, 'SAGABOX_DESTINATIONS'));
      expect(error.code).toBe('Configuration');
      expect(error.facts).toMatchObject({ setting: 'SAGABOX_DESTINATIONS', problem: 'it is not an object' });
    },
  );

  it.each([
    'billing',
    '',
    '/queue/billing',
    null,
    7,
    {},
    'ftp://queues.test/billing',
    'see https://queues.test/billing',
    'https://',
    'arn:aws:sns',
    'arn:aws:sns:eu-west-1:123456789012:',
    'arn:aws:sqs:eu-west-1:123456789012:billing',
    'arn:aws:sqs:eu-west-1:123456789012:event-bus/shop',
    'arn:aws:events:eu-west-1:123456789012:rule/shop',
    'arn:aws:events',
    { address: 'billing' },
    { maxMessageSizeBytes: 2_000 },
    { address: 'https://queues.test/billing', maxMessageSize: 2_000 },
    { address: 'https://queues.test/billing', maxMessageSizeBytes: 1_023 },
    { address: 'https://queues.test/billing', maxMessageSizeBytes: 1_048_577 },
    { address: 'https://queues.test/billing', maxMessageSizeBytes: '2000' },
    { address: 'https://queues.test/billing', maxMessageSizeBytes: null },
    { address: 'arn:aws:events:eu-west-1:123456789012:event-bus/shop', maxMessageSizeBytes: 2_000 },
  ])('refuses the address %j', (queueUrl) => {
    const error = refusalOf(() => parseDestinations({ billing: queueUrl }, 'test'));
    expect(error.code).toBe('Configuration');
    expect(error.facts).toEqual({
      setting: 'test',
      problem: `the address of 'billing' is ${JSON.stringify(queueUrl)}`,
      remedy: expect.stringMatching(/queue URLs, topic ARNs or event bus ARNs, as in { "billing": "https:/),
    });
  });
});

describe('the first name of a destination', () => {
  const topic = 'arn:aws:sns:eu-west-1:123456789012:orders';
  const bus = 'arn:aws:events:eu-west-1:123456789012:event-bus/orders';
  const destinations = parseDestinations(
    {
      billing: 'https://queues.test/billing',
      self: 'https://queues.test/billing',
      other: 'https://queues.test/other',
      orders: topic,
      facts: topic,
      bus,
      events: bus,
    },
    'test',
  );

  it.each([
    ['billing', 'billing'],
    ['self', 'billing'],
    ['other', 'other'],
    ['facts', 'orders'],
    ['events', 'bus'],
  ])('of %s is %s', (name, first) => {
    const destination = destinations.get(name);
    expect(destination && firstOf(destination, destinations)).toBe(destinations.get(first));
  });
});

describe('a destination that is not known', () => {
  it.each([
    [{}, 'known: none'],
    [
      { billing: 'https://queues.test/billing', ledger: 'https://queues.test/ledger' },
      'known: billing, ledger',
    ],
  ])('is told with those that are: %j', (addresses, told) => {
    const error = unknownDestination('shipping', parseDestinations(addresses, 'test'));
    expect(error.message).toContain("destination 'shipping'");
    expect(error.message).toContain(told);
  });
});
