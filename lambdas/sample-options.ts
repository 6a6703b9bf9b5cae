import { printReport } from './print-report.ts';

/** `SAMPLE_OUTBOX=false` turns the outbox off, to show what it is good for. */
export const sampleOptions = {
  outbox: process.env.SAMPLE_OUTBOX !== 'false',
  onMessage: printReport,
};
