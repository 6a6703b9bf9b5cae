/** What the update deploys in place of the first version. */
import { auditHandler } from './audit-handlers.ts';

export const handler = auditHandler('updated');
