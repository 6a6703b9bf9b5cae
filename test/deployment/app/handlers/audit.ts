import { auditHandler } from './audit-handlers.ts';

export const handler = auditHandler('first');
