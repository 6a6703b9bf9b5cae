import { setTimeout as delay } from 'node:timers/promises';
import type { AwsCalls } from '../engine/aws-calls.ts';

interface Mapping {
  readonly UUID: string;
  readonly FunctionArn: string;
}

/** The functions' timeout: after it no invocation of a disabled mapping runs any more. */
const functionTimeoutMs = 10_000;
const pollMs = 200;

/** Steps 1 to 3 of "Event source mappings" in docs/guide/upgrading.md. */
export async function deleteMappings(calls: AwsCalls, stack: string, signal: AbortSignal): Promise<void> {
  const mappings = await mappingsOf(calls, stack);
  if (mappings.length === 0) throw new Error(`${stack} has no event source mappings`);
  for (const { UUID } of mappings)
    await calls.call('lambda', 'update_event_source_mapping', { UUID, Enabled: false });
  await delay(functionTimeoutMs, undefined, { signal });
  for (const { UUID } of mappings) await calls.call('lambda', 'delete_event_source_mapping', { UUID });
  while ((await mappingsOf(calls, stack)).length > 0) await delay(pollMs, undefined, { signal });
}

async function mappingsOf(calls: AwsCalls, stack: string): Promise<Mapping[]> {
  const { EventSourceMappings } = await calls.call<{ EventSourceMappings: Mapping[] }>(
    'lambda',
    'list_event_source_mappings',
  );
  return EventSourceMappings.filter(({ FunctionArn }) => FunctionArn.includes(`:function:${stack}-`));
}
