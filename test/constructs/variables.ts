import type { Stack } from 'aws-cdk-lib';
import { propertiesOf } from './support.ts';

/** The environment of the function whose logical id begins with `prefix`. */
export function variablesOf(stack: Stack, prefix: string): Record<string, unknown> {
  const { Environment } = propertiesOf(stack, 'AWS::Lambda::Function', prefix);
  return (Environment as { Variables: Record<string, unknown> }).Variables;
}
