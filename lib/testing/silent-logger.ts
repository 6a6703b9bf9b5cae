import type { MessageLogger } from '../core/logs/logger.ts';

export const silentLogger: MessageLogger = { info: () => {}, warn: () => {}, error: () => {} };
