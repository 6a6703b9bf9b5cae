import { relayDefaults } from '../../core/outbox/relay-defaults.ts';
import { figureOf, type LimitRule } from './service-limit.ts';

/** The construct begins a run every 15 minutes, which is the longest that one can take. */
const RUN_SECONDS = 15 * 60;
/** An eventually consistent read unit. */
const BYTES_PER_READ_UNIT = 8 * 1024;
const GIGABYTE = 1e9;

/** What a relay without an index reads. */
export const relayLimits: readonly LimitRule[] = [
  {
    name: 'relayScan',
    unit: 'GB for a relay scan',
    limit: (relayDefaults.maxReadUnitsPerSecond * RUN_SECONDS * BYTES_PER_READ_UNIT) / GIGABYTE,
    adjustable: true,
    isEstimate: true,
    title: `sagabox, Relay: a scan by default, ${relayDefaults.maxReadUnitsPerSecond} read units a second for 15 minutes`,
    remedy:
      'Give the outbox table a relay index (relayIndex: true), or relay once a day or by hand with a higher ' +
      'maxReadUnitsPerSecond',
    figuresOf: ({ outbox: { records }, message, shape: { relayIndex }, messagesPerSecond }) =>
      relayIndex
        ? []
        : figureOf('outbox table', (records * message.dispatchedRecordBytes) / GIGABYTE, messagesPerSecond),
  },
];
