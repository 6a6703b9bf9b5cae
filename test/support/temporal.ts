import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Node 24 has it behind a flag, which holds for contexts that are made after it is set.
setFlagsFromString('--harmony-temporal');

/** A `Temporal.Duration` of V8. @param iso such as PT2H */
export function temporalDuration(iso: string): object {
  return runInNewContext('Temporal.Duration.from(iso)', { iso });
}
