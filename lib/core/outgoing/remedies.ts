/** What can be done about a message that cannot be sent, with the settings that its sender has. */
export interface Remedies {
  /** A queue takes no such delay. */
  readonly delay: string;
  /** It is too large. */
  readonly size: string;
  /** Besides, where the destination may take more than is known of it. */
  readonly knownSize: string;
}

export const endpointRemedies: Remedies = {
  delay: "no scheduler is configured: give the construct 'scheduler: true', or the option 'scheduler'",
  size: 'store the data and send a reference to it, or configure a claim check',
  knownSize: "state the 'maxMessageSizeBytes' of the destination if it takes more",
};
