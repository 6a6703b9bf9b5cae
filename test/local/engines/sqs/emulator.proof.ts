import { describe, expect, it } from '@jest/globals';
import { startSqsEmulator } from '../../../../lib/local/engines/sqs/emulator.ts';
import { isListening } from '../../../support/processes.ts';

describe('starting the SQS emulator', () => {
  it.each(['before', 'while'])('ends with the reason when it is interrupted %s it starts', async (when) => {
    const interrupt = new AbortController();
    if (when === 'before') interrupt.abort(new Error('enough'));
    const starting = startSqsEmulator({ signal: interrupt.signal });
    interrupt.abort(new Error('enough'));
    await expect(starting).rejects.toThrow('enough');
  });

  it('is not undone by an interruption that comes later', async () => {
    const interrupt = new AbortController();
    const emulator = await startSqsEmulator({ signal: interrupt.signal });
    interrupt.abort(new Error('enough'));
    expect(await isListening(emulator.endpoint)).toBe(true);
    await emulator.stop();
    expect(await isListening(emulator.endpoint)).toBe(false);
  });
});
