import { overheadOfBatch } from './overhead-of-batch.ts';
import type { RoundSettings } from './rounds.ts';

/**
 * Measures in a process of its own, where nothing else has shaped how the code is compiled; writes one line
 * of JSON.
 */
const depths: Readonly<Record<string, RoundSettings>> = {
  short: { rounds: 6, messages: 1000, warmUpMessages: 10_000 },
  full: { rounds: 24, messages: 5000, warmUpMessages: 50_000 },
};

const [, , depth = 'full'] = process.argv;
const settings = depths[depth];
if (settings === undefined) throw new Error(`There is no depth '${depth}'`);
const figures = { batch1: await overheadOfBatch(1, settings), batch10: await overheadOfBatch(10, settings) };
console.log(JSON.stringify(figures));
