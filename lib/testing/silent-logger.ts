import type { MessageLogger } from '../core/handler-context.ts';

export const silentLogger: MessageLogger = { info: () => {}, warn: () => {}, error: () => {} };
