/**
 * Messages of one event that sagabox handles at a time: all, as the itemized peer does. The default is 10.
 */
export const concurrency = 50;
