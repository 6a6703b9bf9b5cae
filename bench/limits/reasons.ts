// Why goals are missed, as profiles and experiments show: Markdown, one paragraph each, for what a run prints
// and for docs/proof/benchmarks.md. The figures of an experiment carry its date, since no table repeats them.

export const oneAtATime = `One message takes four calls instead of six, and both contenders make the most expensive ones.
If the code around the calls took no time, the ratio would be about 1.4 on a local engine, whose time is processor time.`;

export const tenAtATime = `The figure was recorded before messages shared their transactions: ten took 13 calls instead of 60, and ten of the 13 were transactions.
The 60 calls of the itemized layout overlap, and keep our processor and the engine's busy.
Where calls wait for a network instead of a processor, four steps compare with six.`;

export const fiftyAtATime = `Fifty concurrent transactions wait for one another in the engine, and longer as it fills.
In an experiment of 2026-11-22, one of fifty concurrent transactions took 21 ms on new tables and 28 ms after 12,000 messages, while the other calls did not change.
Both contenders make the same number of transactions, which outweigh what the other calls save.
A short run, on new tables, has a ratio of 2.0 to 3.5.`;

export const fiftyByDefault = `By default sagabox handles ten messages of an event at a time, so fifty messages are five groups in sequence.
With service times, each group waits for 30 ms, which makes at most 333 messages per second.
The itemized peer has no such setting and handles all fifty at a time.
The construct \`MessageEndpoint\` requests events of at most ten messages.
If you use larger events with your own event source mapping, set \`concurrency\` too.`;

export const oneWaiting = `One message waits for four calls of 30 ms in total with sagabox, and for six of 40 ms with the itemized peer.
Without any other time the ratio would be 1.333, and the time of the code around the calls brings it closer to 1.`;

export const oneCommitEach = `Each of the messages has a commit of its own, of the saga and of a record, and each conflict repeats it.
Conflicts that outlast the immediate retries wait for the visibility of their message, for seconds.`;

export const stateSize = `DynamoDB moves and bills whole items: an item of 100 kB takes 25 RCU to load and 98 units to write, each of them twice in a transaction.
The time goes into serializing, sending and storing the same bytes in the local engine, and back.
Units besides those of the saga's item do not grow, and neither do calls; both have goals or bounds of their own.
To keep such a saga small, compress its state, or store large data elsewhere and its key in the state.`;
