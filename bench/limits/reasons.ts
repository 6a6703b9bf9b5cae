// Why goals are missed, as profiles and experiments show: Markdown, one paragraph each, for what a run prints
// and for docs/proof/benchmarks.md. The figures of an experiment carry its date, since no table repeats them.

export const oneAtATime = `One message takes four calls instead of six, and both contenders make the most expensive ones.
If the code around the calls took no time, the ratio would be about 1.4 on a local engine, whose time is processor time.`;

export const tenAtATime = `One message of ten took 1.6 ms of processor time with sagabox and 3.1 ms with the itemized layout, in an experiment of 2026-11-23: 0.86 and 2.1 ms of the process of the benchmark, 0.78 and 1.0 ms of the engine.
The four calls of sagabox wait for one another, and so one of the two processors of the machine has nothing to do.
The 60 calls of the itemized layout overlap and keep both busy.
With other work on the machine the ratio rises to that of the processor time, about 1.9.
Most of the engine's time is the write of the sagas' items, which is the same in both layouts.`;

export const fiftyAtATime = `One message of fifty took 1.4 ms of processor time with sagabox and 2.9 ms with the itemized layout, in an experiment of 2026-11-23: 0.65 and 1.9 ms of the process of the benchmark, 0.71 and 0.97 ms of the engine.
As with ten at a time, the calls of the itemized layout overlap and keep both processors of the machine busy, and the few calls of sagabox keep one.
The transaction of all fifty messages takes 27 ms in the engine, and nothing can be sent before it ends.`;

export const oneWaiting = `One message waits for four calls of 30 ms in total with sagabox, and for six of 40 ms with the itemized peer.
Without any other time the ratio would be 1.333, and the time of the code around the calls brings it closer to 1.`;

export const refusedGroups = `A group of ten messages costs 22 WCU, and as much when its commit is refused.
Eight workers begin at the same time with a group each: one commits and seven are refused, which is 0.77 WCU for each of the 200 messages.
About ten more are refused later, as a group that is handled again meets the ones that came meanwhile.
In pessimistic mode nearly none is refused, and a message takes 2.4 WCU.`;

export const stateSize = `DynamoDB moves and bills whole items: an item of 100 kB takes 25 RCU to load and 98 units to write, each of them twice in a transaction.
The time goes into serializing, sending and storing the same bytes in the local engine, and back.
Units besides those of the saga's item do not grow, and neither do calls; both have goals or bounds of their own.
To keep such a saga small, compress its state, or store large data elsewhere and its key in the state.`;
