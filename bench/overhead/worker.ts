/**
 * A process of its own, in which nothing else shapes how the code is compiled. It writes one line of JSON.
 */
import { contenders } from './contenders.ts';
import { invokeInRounds, type RoundSettings } from './rounds.ts';

const depths: Readonly<Record<string, RoundSettings>> = {
  short: { rounds: 6, messages: 1000, warmUpMessages: 10_000 },
  full: { rounds: 24, messages: 5000, warmUpMessages: 50_000 },
};

const [, , depth = 'full'] = process.argv;
const settings = depths[depth];
if (settings === undefined) throw new Error(`There is no depth '${depth}'`);
const batch1 = await invokeInRounds(contenders, 1, settings);
const batch10 = await invokeInRounds(contenders, 10, settings);
console.log(JSON.stringify({ batch1, batch10 }));
