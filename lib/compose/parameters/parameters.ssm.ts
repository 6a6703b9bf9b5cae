import type { GetParametersCommandOutput } from '@aws-sdk/client-ssm';
import { type RetryTerms, retryWithBackoff } from '../../kernel/async/retry-with-backoff.ts';
import type { SdkClient } from '../../kernel/calls/sdk-client.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import { gaveNoAnswer } from '../../kernel/errors/no-answer.ts';
import { thrownMessage } from '../../kernel/errors/thrown.ts';
import { loadSsmSdk } from './sdk.ssm.ts';

/** Source: "GetParameters" in the AWS Systems Manager API Reference. */
const MAX_NAMES = 10;
/** About 6 s in all: many cold starts at once wait for a quota of 40 calls a second. */
const backoff = { maxRetries: 7, baseDelayMs: 100, maxDelayMs: 2000 } as const;

/** The terms of retrying calls that were throttled or got no answer. */
export type ParameterRetries = Pick<RetryTerms, 'sleep' | 'random'> & {
  /** Whether there is time left to wait for so long. */
  readonly mayWait: (delayMs: number) => boolean;
};

/**
 * Returns the values of exactly these parameters, by name, from as few calls as possible, all made at once.
 *
 * @throws SagaboxError `SettingsNotLoaded` when the service does not give one of them; `Configuration` when
 *   the package is not installed
 */
export async function loadParameters(
  names: readonly string[],
  client: SdkClient,
  retries: ParameterRetries,
): Promise<ReadonlyMap<string, string>> {
  const { GetParametersCommand } = await loadSsmSdk();
  const calls = Array.from({ length: Math.ceil(names.length / MAX_NAMES) }, async (_, index) => {
    const Names = names.slice(index * MAX_NAMES, (index + 1) * MAX_NAMES);
    return (await send(client, new GetParametersCommand({ Names }), Names, retries)).Parameters ?? [];
  });
  const parameters = (await Promise.all(calls)).flat();
  const values = new Map(parameters.map(({ Name = '', Value = '' }) => [Name, Value]));
  const missing = names.find((name) => !values.has(name));
  if (missing === undefined) return values;
  throw new SagaboxError('SettingsNotLoaded', { path: missing, detail: 'there is no such parameter' });
}

async function send(
  client: SdkClient,
  command: object,
  [first = '']: readonly string[],
  { sleep, random, mayWait }: ParameterRetries,
): Promise<GetParametersCommandOutput> {
  try {
    return await retryWithBackoff(async () => (await client.send(command)) as GetParametersCommandOutput, {
      backoff,
      mayRetry: (error, delayMs) => isTransient(error) && mayWait(delayMs),
      sleep,
      random,
    });
  } catch (cause) {
    throw new SagaboxError('SettingsNotLoaded', { path: first, detail: thrownMessage(cause) }, { cause });
  }
}

function isTransient(error: unknown): boolean {
  return gaveNoAnswer(error) || (error instanceof Error && error.name === 'ThrottlingException');
}
