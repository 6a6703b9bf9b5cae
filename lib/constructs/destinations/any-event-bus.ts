import type { EventBus, IEventBus } from 'aws-cdk-lib/aws-events';

/**
 * Any event bus, made here or imported. The class stands beside the interface that it implements because
 * TypeScript's `exactOptionalPropertyTypes` does not take it for it.
 */
export type AnyEventBus = IEventBus | EventBus;
