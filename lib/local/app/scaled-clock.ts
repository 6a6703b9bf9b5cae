/** A clock that starts at the real time and runs faster than it. */
export interface ScaledClock {
  /** Milliseconds since 1970 on this clock. */
  readonly now: () => number;
  /** Jumps ahead. */
  readonly advance: (milliseconds: number) => void;
}

export function scaledClock(timeScale: number, realNow: () => number): ScaledClock {
  const origin = realNow();
  let jumped = 0;
  return {
    now: () => Math.floor(origin + jumped + (realNow() - origin) * timeScale),
    advance: (milliseconds) => {
      jumped += milliseconds;
    },
  };
}
