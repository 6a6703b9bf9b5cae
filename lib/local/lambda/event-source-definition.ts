import { localArn } from '../app/identity.ts';
import type { LocalResource } from '../app/resources/model.ts';
import { functionDefinition } from './function-definition.ts';
import { functionNameOf } from './function-name.ts';

/** A mapping that feeds a function from a queue. */
export interface EventSourceDefinition {
  readonly functionName: string;
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

/** Whether this runtime can run it: an enabled mapping, with no filter, of a queue to a function that runs. */
export function isSqsEventSource(
  { properties }: LocalResource,
  resources: readonly LocalResource[],
): boolean {
  const { EventSourceArn: arn, FilterCriteria: filter, Enabled: enabled } = properties as MappingProperties;
  const functionName = fedFunction(properties);
  return (
    enabled !== false &&
    filter === undefined &&
    resources.some(({ type, name }) => type === 'AWS::SQS::Queue' && arn === localArn('sqs', name)) &&
    resources.some((one) => one.name === functionName && functionDefinition(one) !== undefined)
  );
}

/** The mappings of queues, among resources that run. */
export function eventSourceDefinitions(resources: readonly LocalResource[]): EventSourceDefinition[] {
  return resources
    .filter(({ type, properties }) => {
      const { EventSourceArn: arn = '' } = properties as MappingProperties;
      return type === 'AWS::Lambda::EventSourceMapping' && arn.includes(':sqs:');
    })
    .map(({ properties }) => {
      const {
        EventSourceArn: queueArn = '',
        BatchSize: batchSize = defaultBatchSize,
        FunctionResponseTypes: responseTypes = [],
        ScalingConfig: scaling,
      } = properties as MappingProperties;
      return {
        functionName: fedFunction(properties),
        queueName: queueArn.split(':').at(-1) ?? '',
        queueArn,
        batchSize,
        reportsBatchItemFailures: responseTypes.includes('ReportBatchItemFailures'),
        maxConcurrency: scaling?.MaximumConcurrency,
      };
    });
}

function fedFunction({ FunctionName: nameOrArn = '' }: MappingProperties): string {
  return functionNameOf(nameOrArn);
}
