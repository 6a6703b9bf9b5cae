import { deliveryMutations } from './delivery-mutations.ts';
import { groupMutations } from './group-mutations.ts';
import { mergeMutations } from './merge-mutations.ts';
import { messageMutations } from './message-mutations.ts';
import type { Mutation } from './mutation.ts';
import { storageMutations } from './storage-mutations.ts';
import { watchMutations } from './watch-mutations.ts';

export type { Mutation };

export const mutations: readonly Mutation[] = [
  ...storageMutations,
  ...messageMutations,
  ...deliveryMutations,
  ...groupMutations,
  ...mergeMutations,
  ...watchMutations,
];
