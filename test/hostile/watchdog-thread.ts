import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { processorMs } from './processor-time.ts';

interface Watched {
  /** The number of the case that runs, 0 between two, and the seed. */
  readonly running: Int32Array;
  readonly propertyName: string;
  readonly maxMs: number;
}

const { running, propertyName, maxMs } = workerData as Watched;

/** A thread's own `process.stderr` has no descriptor. */
const STDERR = 2;

let seen = 0;
let seenAt = processorMs();

setInterval(() => {
  const [caseNumber, seed] = [Atomics.load(running, 0), Atomics.load(running, 1)];
  if (caseNumber !== seen || caseNumber === 0) {
    seen = caseNumber;
    seenAt = processorMs();
  } else if (processorMs() - seenAt > maxMs) {
    const failure = `'${propertyName}': case ${caseNumber} of seed ${seed} did not end in ${maxMs} ms of the processor. Repeat it with SAGABOX_FUZZ_SEED=${seed}\n`;
    // Streams would wait for the blocked thread, and so would an orderly exit.
    writeSync(STDERR, failure);
    process.kill(process.pid, 'SIGKILL');
  }
}, maxMs / 20);
