import { endpointNames } from './message-script.ts';

/** That of notes keeps their order within a group. */
export function queueName(endpoint: string): string {
  return endpoint === endpointNames.audit ? `${endpoint}.fifo` : endpoint;
}

export function queueUrl(name: string): string {
  return `https://sqs.us-east-1.amazonaws.com/123456789012/${name}`;
}

export const destinations = {
  orders: queueUrl(queueName(endpointNames.orders)),
  audit: queueUrl(queueName(endpointNames.audit)),
} as const;
