/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of sources, as they are written there */
import type { Change } from '../mutation.ts';
import type { PollInvariant } from './poll-ledger.ts';

export interface ContributionMutation extends Change {
  readonly name: string;
  /** Which of them the simulation may see broken first. */
  readonly breaks: readonly PollInvariant[];
  /** Whose first histories show it. @default that of most, see `mutations.proof.ts` */
  readonly seed?: number;
}

const draft = 'lib/saga/draft-contributions.ts';
const keys = 'lib/dynamodb/keys.ts';
const turn = 'lib/pipeline/saga/take-turn.ts';

/** In how contributions are appended, found, collected and asked for again. */
export const contributionMutations: readonly ContributionMutation[] = [
  {
    name: 'a value that is gone is collected',
    file: 'lib/testing/memory/committer.ts',
    piece: 'for (const each of collected) this.#assertThere(each);',
    becomes: ';',
    breaks: ['once'],
    seed: 185,
  },
  {
    name: 'what is collected is not deleted',
    file: 'lib/testing/memory/committer.ts',
    piece: 'for (const { item } of collected) storage.contributions.delete(storageKey(item));',
    becomes: '',
    breaks: ['once'],
  },
  {
    name: 'what was taken is not told to the commit',
    file: draft,
    piece: 'this.collected.push(',
    becomes: '[].concat(',
    breaks: ['once'],
  },
  {
    name: 'all sagas under an id have the same contributions',
    file: keys,
    piece: '`APPEND${SEPARATOR}${createdAt.toISOString()}${SEPARATOR}${key}${SEPARATOR}`',
    becomes: '`APPEND${SEPARATOR}${SEPARATOR}${key}${SEPARATOR}`',
    breaks: ['life'],
  },
  {
    name: 'the values of a message have one key',
    file: keys,
    piece: "String(ordinal).padStart(2, '0')",
    becomes: "'00'",
    breaks: ['once', 'found', 'rest'],
  },
  {
    name: 'messages have one key for their values',
    file: keys,
    piece: '${message}${SEPARATOR}${place}`',
    becomes: '${SEPARATOR}${place}`',
    breaks: ['once', 'found', 'rest'],
  },
  {
    name: 'who appends shares a group with those that write the saga',
    file: turn,
    piece: 'appendedBy?.has(messageType) ? appendedBy : flow',
    becomes: 'flow',
    breaks: ['once', 'found', 'rest'],
  },
  {
    name: 'who collects shares a group with those ahead of it',
    file: turn,
    piece: 'if (collectedBy?.has(messageType)) return undefined;',
    becomes: '',
    breaks: ['once', 'found', 'rest'],
  },
  {
    name: 'what is left is not asked for again',
    file: 'lib/pipeline/complete.ts',
    piece: 'if (unfinishedKeys.length === 0) return;',
    becomes: 'if (unfinishedKeys.length >= 0) return;',
    breaks: ['asks', 'rest'],
  },
  {
    name: 'what is left has to be as many again',
    file: draft,
    piece: 'continues.includes(key) ? 0 : atLeast',
    becomes: 'atLeast',
    breaks: ['asks'],
    seed: 185,
  },
  {
    name: 'a handler is not told that there are more',
    file: draft,
    piece: 'const hasMore = taken.length < (found?.count ?? 0);',
    becomes: 'const hasMore = false;',
    breaks: ['found'],
  },
  {
    name: 'a read ends before there are as many as are needed',
    file: draft,
    piece: 'if (count >= needed && count > first.length) break;',
    becomes: 'if (count > first.length) break;',
    breaks: ['found'],
    seed: 95,
  },
  {
    name: 'a commit deletes more than there is room for',
    file: draft,
    piece: 'export const MAX_COLLECTED = 90;',
    becomes: 'export const MAX_COLLECTED = 97;',
    breaks: ['limit'],
  },
];
