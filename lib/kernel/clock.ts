export interface Clock {
  now(): Date;
  /** Ends early, without an error, when the signal is aborted. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}
