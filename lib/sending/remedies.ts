/** The remedies for a message that cannot be sent, by the settings that its sender has. */
export interface Remedies {
  /** The remedy for a delay that a queue does not take. */
  readonly delay: string;
  /** The remedy for a message that is too large. */
  readonly size: string;
  /** A further remedy, where the destination may take more than is known of it. */
  readonly knownSize: string;
}

export const endpointRemedies: Remedies = {
  delay: "no scheduler is configured: give the construct 'scheduler: true', or the option 'scheduler'",
  size: 'store the data and send a reference to it, or configure a claim check',
  knownSize: "state the 'maxMessageSizeBytes' of the destination if it takes more",
};
