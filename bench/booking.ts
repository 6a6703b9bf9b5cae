/** Entry of `npm run booking`: trips of the example on engines, with functions that are killed. */
import { complaintsOf } from '../test/support/booking/complaints.ts';
import { runBookings } from '../test/support/booking/load.ts';
import { assertWritable, conclude, print, runCommand, writeJson } from '../test/support/command.ts';
import { killComplaints } from '../test/support/load-kill-verify/kills.ts';
import { withEngines } from '../test/support/own-engines/engines.ts';
import { type BookingOptions, readCommand, usage } from './booking/options.ts';

async function run({ jsonFile, ...load }: BookingOptions, interrupt: AbortSignal): Promise<number> {
  await assertWritable(jsonFile);
  return await withEngines(async (engines, signal) => {
    const outcome = await runBookings(engines, load, signal);
    const { ends, sent, killed, waitedForOperator, redriven, seconds } = outcome;
    const booked = ends.filter(({ isBooked }) => isBooked).length;
    const cancellations = sent.filter(({ type }) => type.startsWith('Cancel')).length;
    const complaints = [...complaintsOf(outcome), ...killComplaints(killed, load.kills)];
    print(
      `${load.trips} trips in ${seconds.toFixed(1)} s: ${booked} booked, ${ends.length - booked} taken back.`,
    );
    print(`${killed} functions were killed; ${cancellations} cancellations were sent.`);
    print(
      `${waitedForOperator.length} trips waited for an operator; ${redriven.length} notices were moved back.`,
    );
    const figures = { ...load, booked, takenBack: ends.length - booked, cancellations, killed };
    const resumed = { waitedForOperator: waitedForOperator.length, redriven: redriven.length };
    await writeJson(jsonFile, { ...figures, ...resumed, seconds, complaints });
    return conclude(complaints);
  }, interrupt);
}

process.exitCode = await runCommand(readCommand(process.argv.slice(2)), usage, run);
