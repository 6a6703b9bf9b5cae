import type { MessageLogger } from 'sagabox';

export const silentLogger: MessageLogger = { info: () => {}, warn: () => {}, error: () => {} };
