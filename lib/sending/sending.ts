import type { OutgoingChecks } from '../messages/contracts/contract.ts';
import type { Destinations } from '../messages/destinations/destination.ts';
import type { Remedies } from './remedies.ts';

export interface Sending {
  readonly destinations: Destinations;
  /** The destinations that `publish` sends to, by message type; `*` for all others. */
  readonly publishTo: Readonly<Record<string, string>>;
  /** Whether a delay longer than SQS takes can go by a schedule. */
  readonly schedules: boolean;
  /** The size over which bodies, as JSON, are stored in the bucket; `undefined` without a claim check. */
  readonly claimCheckThresholdBytes: number | undefined;
  /** The time for which the bucket keeps bodies; `undefined` when it is not known. */
  readonly claimCheckRetentionSeconds: number | undefined;
  readonly format: MessageFormat;
  /** The checks by the contracts that the sender's options list: those of a definition take their place. */
  readonly checks?: OutgoingChecks | undefined;
  /** Whether messages are checked by contracts at all. */
  readonly validateOutgoing: boolean;
  /** @default - those of an endpoint */
  readonly remedies?: Remedies;
}

/** The format of a body. `plain`: JSON. `cloudevents`: a CloudEvents 1.0 envelope in JSON around it. */
export type MessageFormat = (typeof messageFormats)[number];

export const messageFormats = ['plain', 'cloudevents'] as const;
