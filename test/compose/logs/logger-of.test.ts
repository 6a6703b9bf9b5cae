import { afterEach, expect, it, jest } from '@jest/globals';
import { loggerOf } from '../../../lib/compose/logs/logger-of.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';

const written = jest.spyOn(console, 'error').mockImplementation(() => {});
const warned = jest.spyOn(console, 'warn').mockImplementation(() => {});

afterEach(() => {
  written.mockClear();
  warned.mockClear();
});

const noDisk = new Error('no disk');

it.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw noDisk;
    },
  ],
  ['rejects', async () => await Promise.reject(noDisk)],
])('a line that the logger of the options %s on is written by the default one', async (_how, warn) => {
  const logger = loggerOf({ logger: { ...silentLogger, warn: warn as () => void } });
  logger.warn('A lease was not renewed', { sagaId: '7' });
  await new Promise(setImmediate);
  expect(written.mock.calls[0]?.[0]).toMatch(/^The logger of the options failed.*no disk/s);
  expect(warned.mock.calls[0]?.[0]).toMatch(/^A lease was not renewed.*7/s);
});

it('a logger gets its lines as its own methods, and no debug line if it has none', () => {
  const lines: string[] = [];
  class Logger {
    readonly #name = 'own';
    info(message: string) {
      lines.push(`${this.#name}: ${message}`);
    }
    warn() {}
    error() {}
  }
  const logger = loggerOf({ logger: new Logger() });
  logger.info('one', {});
  logger.debug?.('two', {});
  expect(lines).toEqual(['own: one']);
});
