import { copiesSideBySide, type Mutation } from './mutation.ts';

const file = 'lib/outbox/commit/commit-merger.ts';

/** In how commits share a transaction. */
export const mergeMutations: readonly Mutation[] = [
  {
    name: 'the commits of a refused transaction are taken for done',
    file,
    piece: "parts[0]?.terms?.onMerge?.('refused');",
    becomes: 'return;',
    breaks: ['I3', 'I5', 'order'],
    seed: 7,
  },
  {
    name: 'a refused transaction fails all of its commits',
    file,
    piece: 'failsAll: (error) => !options.isRefusal(error)',
    becomes: 'failsAll: () => true',
    breaks: ['kept'],
    seed: 7,
  },
  {
    name: 'the commits of a transaction without an answer are sent again alone',
    file,
    piece: 'failsAll: (error) => !options.isRefusal(error)',
    becomes: 'failsAll: () => false',
    breaks: ['I2'],
    seed: 14,
  },
  {
    name: 'a shared transaction leaves one of its commits out',
    file,
    piece: 'try {\n      await this.#options.transact(parts);',
    becomes: 'try {\n      await this.#options.transact(parts.slice(1));',
    breaks: ['I3', 'I5'],
  },
  {
    name: 'two commits of one item share a transaction',
    file,
    piece: '!parts.some((other) => itemIds.some((id) => other.itemIds?.includes(id)))',
    becomes: 'true',
    also: copiesSideBySide,
    breaks: ['kept'],
    seed: 20,
  },
  {
    name: 'a message commits that was returned while commits were gathered',
    file,
    piece: 'request.terms?.assertOngoing();',
    becomes: '',
    breaks: ['I6'],
    seed: 17,
  },
];
