import type { OutboxMutation } from './mutation.ts';

const changeover = 'lib/outbox/embedded/changeover.ts';
const sagaItem = 'lib/saga/item/saga-item.ts';
const find = 'lib/outbox/embedded/find-in-item.ts';
const write = 'lib/outbox/embedded/embedded-write.ts';
const memory = 'lib/testing/memory/embedded-sagas.ts';

/** In the rules by which neighbours of different forms work side by side, and one follows the other. */
export const changeoverMutations: readonly OutboxMutation[] = [
  {
    name: 'the inbox does not tell that a message has a record, too',
    file: write,
    piece: 'hasRecord: outboxes[index]?.sagaItem === undefined',
    becomes: 'hasRecord: false',
    breaks: ['I5'],
    outbox: 'both+embedded',
    seed: 1,
  },
  {
    name: 'both forms look at the item alone',
    file: find,
    piece: "form === 'both'",
    becomes: 'false',
    breaks: ['kept'],
    outbox: 'records+both',
    seed: 1,
  },
  {
    name: 'both forms keep what they send in the item alone',
    file: write,
    piece: "isOverflowed || form === 'both'",
    becomes: 'isOverflowed',
    breaks: ['I2', 'I5', 'kept'],
    outbox: 'records+both',
    seed: 2,
  },
  {
    name: 'a discard by both forms leaves its record alone',
    file: 'lib/pipeline/outbox/saga-item-outbox.ts',
    piece: 'if (openedSaga === undefined) await',
    becomes: "if (openedSaga === undefined || attempt.flow.saga?.outbox?.form === 'both') await",
    breaks: ['I2', 'kept'],
    outbox: 'both+embedded',
    seed: 1,
  },
  {
    name: 'both forms do not write the item for a message that changes no state',
    file: 'lib/pipeline/outbox/saga-item-outbox.ts',
    piece: 'const { openedSaga, saga } = await combinedSaga(allOpened, messages);',
    becomes:
      "const { openedSaga, saga } = await combinedSaga(allOpened, messages);\n      if (saga === undefined && messages[0]?.opened.flow.saga?.outbox?.form === 'both')\n        return await recordsOutbox.commit(messages);",
    breaks: ['I2', 'kept'],
    outbox: 'both+embedded',
    seed: 3,
  },
  {
    name: 'the end of a saga by both forms leaves no tombstone',
    file: memory,
    piece: "const before = storage.sagaItem(partition, 'latest');",
    becomes:
      "const before = storage.sagaItem(partition, 'latest');\n  if (state === 'none' && schema === 'records') return void (storage.embedded.delete(partition), storage.sagas.delete(partition));",
    breaks: ['I1', 'I2'],
    outbox: 'both+embedded',
    seed: 1,
  },
  {
    name: 'an embedded outbox takes each item of records at once',
    file: sagaItem,
    piece: "form === 'both' || form === item.schema",
    becomes: "form !== 'records' || form === item.schema",
    breaks: ['I2', 'kept'],
    outbox: 'forwardUnwaited',
    seed: 3,
  },
  {
    name: 'records take each item of an embedded outbox at once',
    file: sagaItem,
    piece: "form === 'both' || form === item.schema",
    becomes: "form !== 'embedded' || form === item.schema",
    breaks: ['I2', 'I3', 'kept'],
    outbox: 'backUnwaited',
    seed: 2,
  },
  {
    name: 'records take an item in which something is pending',
    file: sagaItem,
    piece: 'item.pending.size > 0',
    becomes: 'false',
    breaks: ['I3', 'kept'],
    outbox: 'backUnwaited',
    seed: 9,
  },
  {
    name: 'the changeover stays behind a commit that leaves the item alone',
    file: changeover,
    piece: ': undefined;',
    becomes: ': read?.changeover;',
    breaks: ['I2'],
    outbox: 'backUnwaited',
    seed: 5,
  },
  {
    name: 'the changeover comes with each commit by both forms',
    file: changeover,
    piece: 'read?.changeover ?? read?.updatedAt',
    becomes: 'read?.updatedAt',
    breaks: ['kept'],
    outbox: 'forward',
    seed: 1,
  },
  {
    name: 'the changeover is before all, also where there is an item',
    file: changeover,
    piece: 'read?.changeover ?? read?.updatedAt ?? NEVER',
    becomes: 'NEVER',
    breaks: ['I2', 'kept'],
    outbox: 'forwardUnwaited',
    seed: 9,
  },
  {
    name: 'a saga of records starts on a tombstone as if there were none',
    file: 'lib/saga/saga-state.ts',
    piece: 'stored?.revision ?? item?.revision',
    becomes: 'stored?.revision',
    breaks: ['kept'],
    outbox: 'records+both',
    seed: 1,
  },
];
