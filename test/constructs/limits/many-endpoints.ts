import { App, Stack } from 'aws-cdk-lib';
import { type MessageEndpoint, MessageScheduler, type MessageSchedulerProps } from 'sagabox/constructs';
import { inlineEndpoint } from '../support.ts';

const long = (index: number) => `Endpoint${String(index).padStart(2, '0')}`.padEnd(80, 'x');

export const functionId = (index: number) => `Own${String(index).padStart(2, '0')}`;

/**
 * Endpoints with names of 80 characters, each of which sends to the next `fanOut` by a shared scheduler.
 *
 * @param stackOf where endpoint `index` stands
 */
export function manyEndpoints(
  count: number,
  fanOut: number,
  { stackOf, ...props }: MessageSchedulerProps & { stackOf?: (app: App, index: number) => Stack } = {},
): { app: App; stack: Stack; scheduler: MessageScheduler; endpoints: MessageEndpoint[] } {
  const app = new App();
  const stack = new Stack(app, 'Many');
  const scheduler = new MessageScheduler(stack, 'Scheduler', props);
  const endpoints = Array.from({ length: count }, (_, index) =>
    inlineEndpoint(
      stackOf?.(app, index) ?? stack,
      `E${index}`,
      { endpointName: long(index), scheduler },
      functionId(index),
    ),
  );
  for (const [index, endpoint] of endpoints.entries())
    for (let step = 1; step <= fanOut; step++) {
      const next = endpoints[(index + step) % count];
      if (next !== undefined) endpoint.sendsTo(next);
    }
  return { app, stack, scheduler, endpoints };
}
