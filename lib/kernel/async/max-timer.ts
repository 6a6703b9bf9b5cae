/** The longest delay of a timer in milliseconds, some 25 days: Node fires one with a longer delay at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
