// Why goals are missed, as profiles and experiments show: Markdown, one paragraph each, for what a run prints
// and for docs/proof/benchmarks.md. The figures of an experiment carry its date, since no table repeats them.

export const coldLoad = `The bundle of sagabox has several times the code of Powertools', which a handler with sagas and an outbox needs, and creates a second client.
Most of the time goes into \`@aws-sdk/client-dynamodb\`, which both load: full runs up to 2026-11-27 have shown 1.11 to 1.20.`;

export const tenRecords = `Both sides take less than 0.2 ms for a batch, and the ratio depends on when V8 optimizes which of them: full runs up to 2026-11-27 have shown 0.87 to 0.92, and one 1.38.`;

export const oneAtATime = `One message takes four calls instead of six, and both contenders make the most expensive ones.
If the code around the calls took no time, the ratio would be about 1.4 on a local engine, whose time is processor time.`;

export const tenAtATime = `The four calls of ten messages take 9.1 ms, 5.6 of them the transaction, and the 60 calls of the itemized layout 19 ms, as they overlap: twice its speed would leave 0.2 ms for all code of sagabox and the SDK, in an experiment of 2026-11-23.
The four calls wait for one another, so that one of the two processors of the machine has nothing to do; the itemized layout keeps both busy.
In processor time a message takes 1.4 ms with sagabox and 3.0 ms with the itemized layout: other work on the machine brings the ratio to 2.
Most of the engine's time is the write of the sagas' items, which is the same in both layouts.`;

export const fiftyAtATime = `Fifty messages of an event are read and committed ten at a time, side by side, and keep both processors of the machine busy, as the itemized layout does.
So the ratio is that of the processor time: 1.3 ms a message with sagabox and 2.8 ms with the itemized layout, in an experiment of 2026-11-23.
Half of both is the engine's, most of it for the write of the sagas' items.`;

export const oneWaiting = `One message waits for four calls of 30 ms in total with sagabox, and for six of 40 ms with the itemized peer.
Without any other time the ratio would be 1.333.
The code of sagabox takes 0.07 ms for a message in a loop, and about 1 ms where it runs after waits of 5 and 10 ms, in which the processor sleeps: full runs have shown 1.28 to 1.30.`;

export const oneEmbedded = `One message waits for four calls of 25 ms in total with an embedded outbox, and for six of 40 ms with the itemized peer: without any other time the ratio would be 1.6.
Around each call both take another millisecond, in which the processor wakes up, so that 31 ms stand beside 47 in an experiment of 2026-11-26.
A higher ratio takes one call less, and each of the four is needed: the mark, too, before the message is deleted.`;

export const tenEmbedded = `Ten messages wait for four calls of 25 ms in total, and take about 11 ms of processor time, in an experiment of 2026-11-26 on two processors that other work used.
About 2 of them compress and decompress the ten states and what they send.
The 60 calls of the itemized layout overlap, and take 54 ms or more: full runs on a busy machine have shown 1.51 and 1.90.`;

export const embeddedTime = `With an embedded outbox the engine writes half as many items, and no transaction; but states are compressed, and so is what is pending, which takes about 0.2 ms of a message.
With ten and more messages at a time the processor decides: both take as long, within the noise of the machine.`;

export const stateSize = `DynamoDB moves and bills whole items: an item of 100 kB takes 25 RCU to load, and 196 WCU to write: 98 units, which a transaction charges twice.
The time goes into serializing, sending and storing the same bytes in the local engine, and back.
Units besides those of the saga's item do not grow, and neither do calls; both have goals or bounds of their own.
To keep such a saga small, compress its state, or store large data elsewhere and its key in the state.`;
