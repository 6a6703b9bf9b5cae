import type { MessageLogger } from '../core/handlers/handler-context.ts';

export const silentLogger: MessageLogger = { info: () => {}, warn: () => {}, error: () => {} };
