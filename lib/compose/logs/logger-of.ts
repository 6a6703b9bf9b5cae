import type { MessageLogger } from '../../messages/logger.ts';
import { failureFields } from '../../observe/logs/log-fields.ts';
import { defaultLogger } from './default-logger.ts';

type Level = keyof MessageLogger;
type Fields = Parameters<MessageLogger['warn']>[1];

/**
 * The logger of the options, or the default one. Its errors stop no message, and end no process: the default
 * logger then writes the line.
 */
export function loggerOf({ logger }: { readonly logger?: MessageLogger | undefined }): MessageLogger {
  return logger ? guarded(logger) : defaultLogger();
}

function guarded(given: MessageLogger): MessageLogger {
  const write = (level: Level) => (message: string, fields: Fields) => {
    const toDefault = (error: unknown) => {
      const logger = defaultLogger();
      logger.error('The logger of the options failed: the next line was for it', failureFields(error));
      logger[level]?.(message, fields);
    };
    try {
      const written: unknown = given[level]?.(message, fields);
      if (typeof Object(written).then === 'function') Promise.resolve(written).catch(toDefault);
    } catch (error) {
      toDefault(error);
    }
  };
  return {
    // Without `debug`, the fields of its lines are not made.
    ...(given.debug && { debug: write('debug') }),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
}
