import type { GetEventSourceMappingCommandOutput } from '@aws-sdk/client-lambda';
import type { SdkClient } from '../kernel/calls/sdk-client.ts';
import { loadLambdaSdk } from './sdk.lambda.ts';
import type { SeenMapping } from './watch-state.ts';

/**
 * Returns an event source mapping as Lambda has it; `undefined` if none has the id.
 *
 * @throws the error of the call
 */
export async function readMapping(id: string, client: SdkClient): Promise<SeenMapping | undefined> {
  const { GetEventSourceMappingCommand, ResourceNotFoundException } = await loadLambdaSdk();
  try {
    const command = new GetEventSourceMappingCommand({ UUID: id });
    const mapping = (await client.send(command)) as GetEventSourceMappingCommandOutput;
    return {
      id,
      state: mapping.State ?? 'unknown',
      stream: mapping.EventSourceArn,
      startsAt: mapping.StartingPosition,
      lastResult: mapping.LastProcessingResult,
    };
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
