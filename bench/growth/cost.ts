import { CallRecorder } from '../../lib/capacity/measured/call-recorder.ts';
import type { Clients } from '../../test/support/own-engines/clients.ts';
import { type Figures, figuresOf, worst } from '../cost/figures.ts';

/** What one run of the work takes: the most of a few. */
export async function costOf(
  { dynamoDBClient, sqsClient }: Clients,
  work: () => Promise<unknown>,
  times: number,
): Promise<Figures> {
  const recorder = new CallRecorder();
  const stop = recorder.watch(dynamoDBClient, sqsClient);
  try {
    const figures: Figures[] = [];
    for (let time = 0; time < times; time += 1) {
      const calls = await recorder.during(async () => void (await work()));
      const refused = calls.find(({ refusedWcu }) => refusedWcu > 0);
      if (refused) throw new Error(`The cost is not to be trusted: ${refused.operation} was refused`);
      figures.push(figuresOf(calls));
    }
    const [doubt] = recorder.doubts;
    if (doubt !== undefined) throw new Error(`The cost is not to be trusted: ${doubt}`);
    return worst(figures);
  } finally {
    stop();
  }
}
