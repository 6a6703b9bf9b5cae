/** An engine that answers at `endpoint` until it is stopped. */
export interface RunningEngine {
  /** For example `http://127.0.0.1:41234`. */
  readonly endpoint: string;
  readonly stop: () => Promise<void>;
}
