import { expect, it } from '@jest/globals';
import {
  destinationsOfEndpoint,
  ownDestinationName,
  parseDestinations,
} from '../../lib/messages/destinations/destination.ts';

const shared = parseDestinations(
  {
    ledger: 'https://sqs.eu-west-1.amazonaws.com/1/ledger',
    [ownDestinationName('billing', 'ledger')]: 'https://sqs.eu-west-1.amazonaws.com/1/billing-ledger',
    events: 'arn:aws:sns:eu-west-1:1:events',
  },
  'test',
);

it.each([
  ['orders', 'https://sqs.eu-west-1.amazonaws.com/1/ledger'],
  ['billing', 'https://sqs.eu-west-1.amazonaws.com/1/billing-ledger'],
  ['bill', 'https://sqs.eu-west-1.amazonaws.com/1/ledger'],
  [undefined, 'https://sqs.eu-west-1.amazonaws.com/1/ledger'],
])('a name that several endpoints share is at %s that of its own', (endpoint, queueUrl) => {
  const destinations = destinationsOfEndpoint(shared, endpoint);
  expect(destinations.get('ledger')).toMatchObject({ name: 'ledger', queueUrl });
  expect(destinations.get('events')).toMatchObject({ name: 'events', kind: 'topic' });
});
