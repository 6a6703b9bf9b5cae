/** Recovers what an earlier run could not dispatch too, so that each run of the proof tries everything. */
import { recoverOutbox } from 'sagabox';

export const handler = recoverOutbox({ includePostponed: true });
