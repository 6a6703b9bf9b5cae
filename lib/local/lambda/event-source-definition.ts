import { SagaboxError } from '../../core/failures/errors.ts';
import type { LocalResource } from '../app/resource-model.ts';
import type { FunctionDefinition } from './function-definition.ts';

/** A mapping that feeds a function from a queue. */
export interface EventSourceDefinition {
  readonly logicalId: string;
  readonly functionDefinition: FunctionDefinition;
  readonly queueName: string;
  readonly queueArn: string;
  readonly batchSize: number;
  readonly reportsBatchItemFailures: boolean;
  /** As declared; undefined when the template leaves it to the account's limit. */
  readonly maxConcurrency: number | undefined;
}

interface MappingProperties {
  readonly EventSourceArn?: string;
  readonly FunctionName?: string;
  readonly BatchSize?: number;
  readonly Enabled?: boolean;
  readonly FilterCriteria?: unknown;
  readonly FunctionResponseTypes?: readonly string[];
  readonly ScalingConfig?: { readonly MaximumConcurrency?: number };
}

const defaultBatchSize = 10;

export function isEventSource({ type }: LocalResource): boolean {
  return type === 'AWS::Lambda::EventSourceMapping';
}

/** Whether this runtime can run it: a queue that feeds a function, with no filter. */
export function isSqsEventSource({ properties }: LocalResource): boolean {
  const { EventSourceArn: arn, FilterCriteria: filter } = properties as MappingProperties;
  return (arn?.includes(':sqs:') ?? false) && filter === undefined;
}

export function isEnabled({ properties }: LocalResource): boolean {
  return (properties as MappingProperties).Enabled !== false;
}

/** @throws SagaboxError `Configuration` when the mapping names a function that the templates do not declare. */
export function eventSourceDefinition(
  resource: LocalResource,
  functions: readonly FunctionDefinition[],
): EventSourceDefinition {
  const properties = resource.properties as MappingProperties;
  const functionName = properties.FunctionName?.split(':').at(-1);
  const functionDefinition = functions.find(({ name }) => name === functionName);
  if (functionDefinition === undefined || properties.EventSourceArn === undefined) {
    throw new SagaboxError('Configuration', {
      setting: resource.logicalId,
      problem: `the event source mapping feeds the function '${functionName}', which is not in the cloud assembly`,
      remedy: 'Declare the function in the same app',
    });
  }
  return {
    logicalId: resource.logicalId,
    functionDefinition,
    queueName: properties.EventSourceArn.split(':').at(-1) ?? '',
    queueArn: properties.EventSourceArn,
    batchSize: properties.BatchSize ?? defaultBatchSize,
    reportsBatchItemFailures: properties.FunctionResponseTypes?.includes('ReportBatchItemFailures') ?? false,
    maxConcurrency: properties.ScalingConfig?.MaximumConcurrency,
  };
}
