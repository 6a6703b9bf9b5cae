/** All messages of an event of 50 at a time, as the itemized peer handles them. */
export const allAtOnce = 50;
