import { Duration } from 'aws-cdk-lib';
import { defaultDeduplicationPeriod } from '../../dynamodb/table-defaults.ts';

/** What the handlers remember a message for by themselves. */
export const minDeduplicationPeriod = Duration.days(defaultDeduplicationPeriod.days);
/** AWS recommends it, so that a batch that is throttled can be retried before its messages are seen again. */
export const VISIBILITY_PER_FUNCTION_TIMEOUT = 6;
/** What Lambda uses for a function that sets no timeout. */
export const unsetFunctionTimeout = Duration.seconds(3);
