import type { MessageLogger } from '../messages/logger.ts';

export const silentLogger: MessageLogger = { info: () => {}, warn: () => {}, error: () => {} };
