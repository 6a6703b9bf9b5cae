/** Recovers what an earlier run could not dispatch too, so that each run of the proof tries everything. */
import { relayOutbox } from 'sagabox';

export const handler = relayOutbox({ includePostponed: true });
