import { SagaboxError } from '../../kernel/errors/errors.ts';

/**
 * Makes one call that creates what a template declares, over plain HTTP: the clients of these services are
 * optional.
 *
 * @throws SagaboxError `Configuration` when the emulator refuses it.
 */
export async function provisioningCall(name: string, url: string, init: RequestInit): Promise<void> {
  const response = await fetch(url, init);
  const answer = await response.text();
  if (response.ok) return;
  throw new SagaboxError('Configuration', {
    setting: name,
    problem: `the local engine refuses it with status ${response.status}: ${answer}`,
    remedy: 'Correct what the template declares',
  });
}
