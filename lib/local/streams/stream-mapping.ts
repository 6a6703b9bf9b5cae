import { localIdentity } from '../app/identity.ts';
import type { LocalResource } from '../app/resources/model.ts';
import { functionDefinition } from '../lambda/function-definition.ts';
import { functionNameOf } from '../lambda/function-name.ts';
import { type FilterCriteria, recordFilter } from './record-filter.ts';
import type { StartingPosition } from './stream-calls.ts';

/** A mapping that feeds a function from the stream of a table. */
export interface StreamMapping {
  /** The local name of the mapping. */
  readonly name: string;
  readonly functionName: string;
  readonly streamArn: string;
  readonly startingPosition: StartingPosition;
  readonly batchSize: number;
  /** How long records are waited for to fill a batch, on the clock of the queues. */
  readonly batchingWindowMs: number;
  readonly reportsBatchItemFailures: boolean;
  /** Whether a record is handed over. */
  readonly matches: (record: object) => boolean;
}

interface MappingProperties {
  readonly EventSourceArn?: string;
  readonly FunctionName?: string;
  readonly StartingPosition?: StartingPosition;
  readonly BatchSize?: number;
  readonly MaximumBatchingWindowInSeconds?: number;
  readonly Enabled?: boolean;
  readonly FilterCriteria?: FilterCriteria;
  readonly FunctionResponseTypes?: readonly string[];
}

/** What Lambda takes for a mapping of a stream that does not say. */
const defaults = { batchSize: 100, batchingWindowSeconds: 0 } as const;

/** The settings that the poller does not play, with the value that asks for nothing. */
const settingsNotPlayed: Readonly<Record<string, unknown>> = {
  BisectBatchOnFunctionError: false,
  DestinationConfig: undefined,
  MaximumRecordAgeInSeconds: -1,
  MaximumRetryAttempts: -1,
  ParallelizationFactor: 1,
  TumblingWindowInSeconds: 0,
};

/** Whether this runtime can run it: an enabled mapping of the stream of a table, both of this app. */
export function isStreamMapping({ properties }: LocalResource, resources: readonly LocalResource[]): boolean {
  const {
    EventSourceArn: arn = '',
    FunctionName: functionName = '',
    Enabled: enabled,
  } = properties as MappingProperties;
  const streamed = resources.find(({ type, name }) => type.startsWith(tableType) && name === tableOf(arn));
  return (
    enabled !== false &&
    streamed?.properties.StreamSpecification !== undefined &&
    resources.some(
      (one) => one.name === functionNameOf(functionName) && functionDefinition(one) !== undefined,
    )
  );
}

/**
 * The mappings of streams, among resources that run.
 *
 * @throws SagaboxError `Configuration` for a filter that the local runtime does not play
 */
export function streamMappings(resources: readonly LocalResource[]): StreamMapping[] {
  return streamResources(resources).map(({ name, logicalId, properties }) => {
    const {
      EventSourceArn: streamArn = '',
      FunctionName: functionName = '',
      StartingPosition: startingPosition = 'TRIM_HORIZON',
      BatchSize: batchSize = defaults.batchSize,
      MaximumBatchingWindowInSeconds: windowSeconds = defaults.batchingWindowSeconds,
      FilterCriteria: filterCriteria = {},
      FunctionResponseTypes: responseTypes = [],
    } = properties as MappingProperties;
    return {
      name,
      functionName: functionNameOf(functionName),
      streamArn,
      startingPosition,
      batchSize,
      batchingWindowMs: windowSeconds * 1_000,
      reportsBatchItemFailures: responseTypes.includes('ReportBatchItemFailures'),
      matches: recordFilter(filterCriteria, logicalId),
    };
  });
}

/** What the mapping of a stream asks for and the poller does not do, by the names of its properties. */
export function streamSettingsNotPlayed(resource: LocalResource): string[] {
  if (streamResources([resource]).length === 0) return [];
  return Object.entries(settingsNotPlayed)
    .filter(([name, neutral]) => (resource.properties[name] ?? neutral) !== neutral)
    .map(([name]) => name);
}

const tableType = 'AWS::DynamoDB::';

function streamResources(resources: readonly LocalResource[]): LocalResource[] {
  return resources.filter(
    ({ type, properties }) =>
      type === 'AWS::Lambda::EventSourceMapping' &&
      tableOf((properties as MappingProperties).EventSourceArn ?? '') !== undefined,
  );
}

/** Each engine names a region of its own. @returns undefined for an ARN of anything but a stream of this app */
function tableOf(streamArn: string): string | undefined {
  const { partition, accountId } = localIdentity;
  const table = new RegExp(`^arn:${partition}:dynamodb:[^:]+:${accountId}:table/([^/]+)/stream/`);
  return table.exec(streamArn)?.[1];
}
