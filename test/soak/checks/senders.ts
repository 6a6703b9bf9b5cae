import { type Effects, noEffects } from './effects.ts';
import type { Evidence } from './evidence.ts';

/** Checks the messages that change no saga: with a mark, or only with what they send. */
export function* checkedSenders({ senders, marks, entries }: Evidence): Generator<Effects> {
  const sent = Map.groupBy(entries, ({ source }) => source);
  for (const { id, sends, isMarked } of senders) {
    const effects = noEffects();
    const arrived = sent.get(id) ?? [];
    const missing = sends - new Set(arrived.map(({ ordinal }) => ordinal)).size;
    if (missing > 0) effects.lost.push(`${missing} messages of ${id}`);
    if (isMarked) {
      const applied = marks.get(id)?.applied ?? 0;
      if (applied === 0) effects.lost.push(`the write of ${id}`);
      if (applied > 1) effects.appliedTwice.push(`the write of ${id} (${applied} times)`);
    } else {
      // Each run sends under the same ids: only one of them may have committed.
      const attempts = new Set(arrived.map(({ attempt }) => attempt)).size;
      if (attempts > 1) effects.appliedTwice.push(`${id}, as ${attempts} of its runs sent`);
    }
    yield effects;
  }
}
