import { inTurns, mediansOf } from '../../../bench/benchmark/in-turns.ts';
import type { Engines } from '../../../test/support/own-engines/engines.ts';
import { type DesignName, designs } from '../designs.ts';
import { type RoundFigures, runRound } from './round.ts';

export type Depth = 'short' | 'full';

export interface DesignFigures {
  readonly before: RoundFigures;
  readonly after: RoundFigures;
}

interface Run {
  readonly depth: Depth;
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
}

const sides = ['before', 'after'] as const;
/** Odd: the median is one of them. A short run shows that each design works, and no times. */
const rounds: Readonly<Record<Depth, number>> = { short: 1, full: 3 };

/** Both variants take turns on the same engines, after a warm-up of each; medians of the rounds. */
export async function measureDesign(engines: Engines, name: DesignName, run: Run): Promise<DesignFigures> {
  const design = designs[name];
  const { depth, signal, progress } = run;
  const round = (side: (typeof sides)[number], messages: number) =>
    runRound(engines, design, design[side], messages, signal);
  if (depth === 'full')
    await inTurns(sides, 1, (side) => {
      progress(`${name}: warming up, ${side}`);
      return round(side, design.messages.short);
    });
  const measured = await inTurns(sides, rounds[depth], (side, index) => {
    progress(`${name}: round ${index + 1} of ${rounds[depth]}, ${side}`);
    return round(side, design.messages[depth]);
  });
  return { before: figuresOf(measured.before), after: figuresOf(measured.after) };
}

/** Of what must never happen the worst round. */
function figuresOf(measured: readonly RoundFigures[]): RoundFigures {
  const figures = measured.map((round): Record<keyof RoundFigures, number> => round);
  return { ...mediansOf(figures), deadLettered: Math.max(...measured.map((round) => round.deadLettered)) };
}
