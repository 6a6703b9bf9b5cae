import type { GoalName } from './goals.ts';

// A profile or an experiment is a run of its own: its figures are told with its date, and are not those of
// the tables.
const bundle = `The bundle is the runtime itself: nothing of deployment, relay, the local engines or the command line is in it, and middy is the
only package beside sagabox; its parts are listed with the other figures of the bundle. By kind, 29 % of it are property and global names, 25 %
punctuation, numbers and private names, 20 % strings, most of them error messages with cause and remedy, 15 % keywords, 9 % short names, and 2 % spaces and
regular expressions. Features were left out one by one (experiments of 2026-11-21, of 113 kB), and each saves little, minified and gzipped: the checks of
settings 8.4 and 2.5 kB, leases 5.7 and 1.8, error messages 5.2 and 1.6, topics, buses and schedules 4.3 and 1.2, foreign envelopes 3.9 and 1.3, the claim
check 3.6 and 1.2, the error queue 2.2 and 0.8. Those of them that are optional, which are leases, topics, buses and schedules, the claim check and the error
queue, are 16 kB: it would still be 97 kB, and 88 kB with every property name mangled. Split behind dynamic imports it would load 102 kB at first, and a
function that is bundled into one file would grow by 4 kB. Since then it grew to 141 kB: states and bodies that are refused with path and remedy, and the state's
own way to DynamoDB's types in place of the SDK's, take 8 kB of it, the checks of options and definitions when a handler is made 4, dispatches that are resumed 5, the
run of a record and its deadline 3, and fingerprints, message sizes, saga versions and discards 4. Powertools' half of the size deduplicates and takes batches apart; sagas, an outbox and
messages to send are not in it.`;

const state = `DynamoDB bills an item by its size, and moves all of it: an item of 100 kB takes 25 RCU to load and 98 units, each of them twice in a
transaction, to write. The times are those of the same bytes: to serialize them, to send them and to store them in the local engine, and back. Besides
the units of the saga's item nothing grows, neither units nor calls, which are goals of their own. A saga of that size is better kept small,
by storing what is large elsewhere and its key in the state.`;

/**
 * Why a goal is not reached, as found by profiling and by experiments: Markdown, one paragraph each, for what
 * a run prints and for docs/proof/benchmarks.md. Shown only while the goal is not reached; no document is
 * written as long as one is missing. Goals with the same reason are told together.
 */
export const reasons: Partial<Record<GoalName, string>> = {
  wcuN10Incompressible: `Ten bodies of 500 bytes of base64 without any order in them keep three quarters of their size at best, and the fields around
them are added to that: one item of more than 4 kB, which is 5 units, paid twice in the transaction and once when the record is marked as dispatched.
The goal is reached for bodies that compress as order data does.`,
  bundleKB: bundle,
  bundleGzipKB: bundle,
  bundleRatio: bundle,
  bundleGzipRatio: bundle,
  throughput1: `One message at a time takes four calls against six, and both make the dearest ones. With code that takes no time at all the ratio would be
about 1.4 on a local engine, whose time is that of the processor.`,
  throughput10: `Ten messages take 13 calls against 60, but ten of the 13 are their transactions, which they cannot share. The 60 calls of the itemized layout
overlap, and keep both processors busy, ours and the engine's. Where calls wait for a network and not for a processor, four steps stand against six.`,
  throughput50: `Fifty transactions at once wait for one another in the engine, and longer as it fills: in an experiment of 2026-11-22 a transaction
took 21 ms of fifty at once on new tables, and 28 ms after 12,000 messages, while the other calls stayed as they were. Both contenders make as many of
them, so that they outweigh what the others save. A short run, on new tables, comes to a ratio of 2.0 to 3.5.`,
  throughput50Default: `By default ten messages of an event are worked on at a time: fifty are five times ten, one after another, and each ten waits for
its transactions, which they cannot share. That makes 65 calls; with \`concurrency: 50\` they are 58 to 60, and all transactions overlap. The itemized
peer knows no such setting: its 300 calls are made for all fifty at a time. The construct \`MessageEndpoint\` asks for events of ten at the most: whoever
has larger ones, of an event source mapping of their own, sets \`concurrency\` too.`,
  stateWcu: state,
  stateRcu: state,
  stateTime: state,
};
