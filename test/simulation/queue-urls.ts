import { endpointNames } from './message-script.ts';

export function queueUrl(name: string): string {
  return `https://sqs.us-east-1.amazonaws.com/123456789012/${name}`;
}

export const destinations = {
  orders: queueUrl(endpointNames.orders),
  audit: queueUrl(endpointNames.audit),
} as const;
