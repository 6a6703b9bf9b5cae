import { join } from 'node:path';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';

export function handlerFile(name: string): string {
  return join(import.meta.dirname, 'handlers', `${name}.ts`);
}

/** The handlers import the package from its sources, so that nothing has to be built before. */
export const bundling = { esbuildArgs: { '--conditions': 'sagabox-source' } } as const;

/** The visibility timeout is six times this: so long a killed function holds its messages. */
export const endpointDefaults = {
  functionTimeout: Duration.seconds(3),
  maxReceiveCount: 20,
  metricsNamespace: 'Proof',
  maxConcurrency: 2,
  removalPolicy: RemovalPolicy.DESTROY,
  bundling,
} as const;
