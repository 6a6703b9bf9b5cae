import { SagaboxError } from '../../core/failures/errors.ts';
import type { LocalResource } from '../app/resources/model.ts';

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

/** Whether this runtime can run it: a queue that feeds a function, with no filter. */
export function isSqsEventSource({ properties }: LocalResource): boolean {
  const { EventSourceArn: arn, FilterCriteria: filter } = properties as MappingProperties;
  return (arn?.includes(':sqs:') ?? false) && filter === undefined;
}

/**
 * The mappings that are enabled.
 *
 * @param functions those that run, by their names
 * @throws SagaboxError `Configuration` when none of them is the function of a mapping
 */
export function eventSourceDefinitions(
  resources: readonly LocalResource[],
  functions: Pick<ReadonlySet<string>, 'has'>,
): EventSourceDefinition[] {
  return resources
    .filter(({ type }) => type === 'AWS::Lambda::EventSourceMapping')
    .filter(({ properties }) => (properties as MappingProperties).Enabled !== false)
    .map(({ logicalId, properties }) => {
      const {
        EventSourceArn: queueArn = '',
        FunctionName: functionNameOrArn = '',
        BatchSize: batchSize = defaultBatchSize,
        FunctionResponseTypes: responseTypes = [],
        ScalingConfig: scaling,
      } = properties as MappingProperties;
      const functionName = functionNameOrArn.split(':').at(-1) ?? '';
      if (!functions.has(functionName)) {
        throw new SagaboxError('Configuration', {
          setting: logicalId,
          problem: `it feeds '${functionName}', which has no bundled Node.js code in the cloud assembly`,
          remedy: 'Declare it in the same app, with NodejsFunction, or with a handler and Code.fromAsset',
        });
      }
      return {
        functionName,
        queueName: queueArn.split(':').at(-1) ?? '',
        queueArn,
        batchSize,
        reportsBatchItemFailures: responseTypes.includes('ReportBatchItemFailures'),
        maxConcurrency: scaling?.MaximumConcurrency,
      };
    });
}
