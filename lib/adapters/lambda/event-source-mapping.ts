import type { GetEventSourceMappingCommandOutput } from '@aws-sdk/client-lambda';
import type { SeenMapping } from '../../core/outbox/watch.ts';
import type { SdkClient } from '../shared/sdk-client.ts';
import { loadLambdaSdk } from './sdk.ts';

/**
 * An event source mapping as Lambda has it; undefined if there is none of that id.
 *
 * @throws what the call fails with
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
