/**
 * Where messages for people go; `console` and the Logger of Powertools fit as they are. A line about a failure
 * has `code`, `facts` and `error` in its fields, all in plain JSON: docs/guide/operations.md has the others.
 */
export interface MessageLogger {
  debug?(message: string, fields: Record<string, unknown>): void;
  info(message: string, fields: Record<string, unknown>): void;
  warn(message: string, fields: Record<string, unknown>): void;
  error(message: string, fields: Record<string, unknown>): void;
}
