import type { MessageLogger } from '../../messages/logger.ts';
import { logFields } from '../../observe/logs/log-fields.ts';
import { logLine } from '../../observe/logs/log-line.ts';
import { systemClock } from '../system-clock.ts';
import { textLine } from './text-line.ts';
import { writeLine } from './write-line.ts';

type Level = 'debug' | 'info' | 'warn' | 'error';
type Write = (level: Level, message: string, fields: Record<string, unknown>) => void;

/**
 * Writes one JSON object a line in a function with JSON logs, with the fields of Lambda's own lines and from
 * the log level of the function on; its `console` would put the fields into a string. In other functions,
 * writes readable lines on `console`. Sources: "Configuring JSON and plain text log formats" and "Log-level
 * filtering" in the AWS Lambda Developer Guide.
 */
export function defaultLogger(): MessageLogger {
  const { AWS_LAMBDA_LOG_FORMAT: format, AWS_LAMBDA_LOG_LEVEL: level } = process.env;
  return loggerOf(format?.toUpperCase() === 'JSON' ? jsonFrom(level?.toUpperCase()) : writeText);
}

function writeText(level: Level, message: string, fields: Record<string, unknown>): void {
  // biome-ignore lint/suspicious/noConsole: it is where the lines of a function go
  console[level](textLine(message, fields));
}

function loggerOf(write: Write): MessageLogger {
  return {
    debug: (message, fields) => write('debug', message, logFields({}, fields)),
    info: (message, fields) => write('info', message, logFields({}, fields)),
    warn: (message, fields) => write('warn', message, logFields({}, fields)),
    error: (message, fields) => write('error', message, logFields({}, fields)),
  };
}

const levels = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];

/** @param least the lowest level to write; all levels if Lambda names none */
function jsonFrom(least = ''): Write {
  return (method, message, fields) => {
    const level = method.toUpperCase();
    if (levels.indexOf(level) < levels.indexOf(least)) return;
    const timestamp = systemClock.now().toISOString();
    writeLine(logLine({ timestamp, level, message, requestId: currentRequestId() }, fields));
  };
}

interface Runtime {
  /** Set by runtimes that can run several invocations at a time. */
  readonly awslambda?: { readonly InvokeStore?: { getRequestId?(): string; hasContext?(): boolean } };
  readonly [requestIdSymbol]?: string;
}

/** The key of the request id in the runtimes before those. */
const requestIdSymbol: unique symbol = Symbol.for('aws.lambda.runtime.requestId');

/**
 * The request id of the invocation, as Lambda's runtime keeps it for its own `console`. It is read for each
 * line, because a logger is made once. Sources: `@aws/lambda-invoke-store`; the Node.js runtime interface
 * client.
 */
function currentRequestId(): string | undefined {
  const { awslambda, [requestIdSymbol]: former } = globalThis as Runtime;
  const store = awslambda?.InvokeStore;
  return store?.hasContext?.() ? store.getRequestId?.() : former;
}
