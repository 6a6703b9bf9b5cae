import type { MessageLogger } from '../core/handlers/handler-context.ts';

/**
 * `console`, or in a function with JSON logs one JSON object a line, with level and timestamp by which Lambda
 * filters: its `console` would put the facts into a text. Source: "Advanced logging controls" in the AWS
 * Lambda Developer Guide.
 */
export function defaultLogger(): MessageLogger {
  return process.env.AWS_LAMBDA_LOG_FORMAT === 'JSON' ? jsonLogger : console;
}

const jsonLogger: MessageLogger = {
  debug: (message, facts) => write('DEBUG', message, facts),
  info: (message, facts) => write('INFO', message, facts),
  warn: (message, facts) => write('WARN', message, facts),
  error: (message, facts) => write('ERROR', message, facts),
};

function write(level: string, message: string, facts: Record<string, unknown>): void {
  const line = { ...facts, level, timestamp: new Date().toISOString(), message };
  process.stdout.write(`${textOf(line)}\n`);
}

/** What cannot be told as JSON must not fail a message. */
function textOf(line: Record<string, unknown>): string {
  try {
    return JSON.stringify(line, readable);
  } catch (error) {
    const { level, timestamp, message } = line;
    return JSON.stringify({ level, timestamp, message, unreadableFacts: String(error) });
  }
}

function readable(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { ...value, name, message, stack, cause };
}
