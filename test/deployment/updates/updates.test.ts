import { describe, expect, it } from '@jest/globals';
import { judgeUpdate } from './judge-update.ts';
import { contextAfter, roundsOf, type Update, updates } from './updates.ts';

describe('the rounds of updates', () => {
  it.each(['each by itself', 'several together'])('hold all updates in their order, %s', (how) => {
    const each = how === 'each by itself';
    expect(roundsOf(each).flat()).toEqual(updates);
  });

  it('deploy an app with the context of all its updates so far', () => {
    expect(contextAfter(roundsOf(false), 'sample')).toEqual({
      stage: 'Production',
      maxWriteRequestUnits: 2_000,
    });
    expect(contextAfter(roundsOf(false).slice(0, 1), 'proof')).toEqual({
      renamed: true,
      archive: 'subscribed',
    });
  });

  it('add a subscription in one round and remove it in a later one', () => {
    const roundOf = (name: string) =>
      roundsOf(false).findIndex((round) => round.some((one) => one.name === name));
    expect(roundOf('a subscription is removed')).toBeGreaterThan(roundOf('a subscription is added'));
  });
});

describe('an update', () => {
  const before = new Map([
    ['Office/AuditQueue', 'audit-1'],
    ['Office/ArchiveFromCompany', 'rule-1'],
  ]);
  const of = (own: Partial<Update>): Update[] => [
    { name: 'it', app: 'proof', context: {}, differs: true, ...own },
  ];

  it('may leave all resources as they are', () => {
    expect(judgeUpdate(of({}), before, before)).toEqual([]);
  });

  it.each<[string, Partial<Update>, [string, string][], string]>([
    [
      'adds',
      { adds: /^Archive/ },
      [...before, ['Office/ArchiveQueue', 'archive-1']],
      'Nothing like /^Archive/ was added',
    ],
    [
      'removes',
      { removes: /^ArchiveFrom/ },
      [['Office/AuditQueue', 'audit-1']],
      'Nothing like /^ArchiveFrom/ was removed',
    ],
  ])('%s what it says, and has to', (_what, own, after, complaint) => {
    expect(judgeUpdate(of(own), before, new Map(after))).toEqual([]);
    expect(judgeUpdate(of(own), before, before)).toEqual([`${complaint}: it`]);
  });

  it('must not add, remove or replace anything else', () => {
    const after = new Map([
      ['Office/AuditQueue', 'audit-2'],
      ['Office/Other', 'other-1'],
    ]);
    expect(judgeUpdate(of({ adds: /^Archive/ }), before, after)).toEqual([
      'Office/Other was added: it',
      'Office/ArchiveFromCompany was removed: it',
      'Office/AuditQueue was replaced: it',
      'Nothing like /^Archive/ was added: it',
    ]);
  });
});
