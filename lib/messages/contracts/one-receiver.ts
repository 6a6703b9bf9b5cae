import { configurationError } from '../../kernel/errors/errors.ts';

/**
 * Queues have one receiver; what is published has as many as subscribe.
 *
 * @param receivers who takes the message type of the contract
 * @param ifPublished what to do if it is published
 * @throws SagaboxError `Configuration` for two or more
 */
export function assertOneReceiver(
  contract: string,
  type: string,
  receivers: readonly string[],
  ifPublished: string,
): void {
  if (receivers.length < 2) return;
  throw configurationError(
    `the contract '${contract}'`,
    `'${type}' is taken by ${receivers.join(' and ')}`,
    `Let one endpoint take it. If it is published, ${ifPublished}`,
  );
}
