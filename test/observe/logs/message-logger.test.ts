import { expect, it } from '@jest/globals';
import { messageLogger } from '../../../lib/observe/logs/message-logger.ts';

it.each(['info', 'warn', 'error'] as const)('each line of a message tells which one it is: %s', (level) => {
  const lines: unknown[] = [];
  const note = (by: string) => (text: string, facts?: object) => void lines.push([by, text, facts]);
  const logger = { info: note('info'), warn: note('warn'), error: note('error') };
  const facts = { endpoint: 'orders', messageId: 'm1', messageType: 'Placed', conversationId: 'c1' };
  messageLogger(logger, facts)[level]('charged', { amount: 5, messageType: 'of the caller' });
  const { [level]: log } = messageLogger(logger, facts);
  log('done', {});
  ({ ...messageLogger(logger, facts) })[level]('copied', {});
  expect(lines).toEqual([
    [level, 'charged', { ...facts, amount: 5, facts: { messageType: 'of the caller' } }],
    [level, 'done', facts],
    [level, 'copied', facts],
  ]);
});
