import { localArn } from '../app/identity.ts';
import type { LocalResource } from '../app/resources/model.ts';
import { functionNameOf } from './function-name.ts';

/** An event source mapping as `GetEventSourceMapping` of Lambda describes it, as far as that is played. */
export interface MappingDescription {
  readonly UUID: string;
  readonly EventSourceArn: string;
  readonly FunctionArn: string;
  readonly StartingPosition: string | undefined;
  readonly State: 'Enabled' | 'Disabled';
  /** Of the mapping of a stream. */
  readonly LastProcessingResult: string | undefined;
}

/** @param isRun whether the app polls the source */
export function mappingDescription(
  { name, properties }: LocalResource,
  isRun: boolean,
  lastResult: string | undefined,
): MappingDescription {
  const {
    EventSourceArn,
    FunctionName: functionName = '',
    StartingPosition,
  } = properties as {
    EventSourceArn: string;
    FunctionName?: string;
    StartingPosition?: string;
  };
  return {
    UUID: name,
    EventSourceArn,
    FunctionArn: localArn('lambda', `function:${functionNameOf(functionName)}`),
    StartingPosition,
    State: isRun ? 'Enabled' : 'Disabled',
    LastProcessingResult: lastResult,
  };
}
