import type { Stack } from 'aws-cdk-lib';
import { type BundledEndpointProps, MessageEndpoint } from 'sagabox/constructs';
import { unbundledStack } from '../support.ts';

export const entry = new URL('../../../lambdas/billing.ts', import.meta.url).pathname;

/** A stack with one endpoint, 'Orders'. */
export function bundledEndpoint(props: Partial<BundledEndpointProps> = {}): Stack {
  const stack = unbundledStack();
  new MessageEndpoint(stack, 'Orders', { entry, ...props });
  return stack;
}
