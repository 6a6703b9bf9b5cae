import { describe, expect, it } from '@jest/globals';
import { readSources } from './support/source-files.ts';

/**
 * One word for one thing: names that were given up, with what took their place. The left side is a regular
 * expression of a name in code.
 */
const retired: Readonly<Record<string, string>> = {
  commitTogether: 'commitAlone, commitGroup',
  '[Cc]oalescer\\w*': 'RequestBatcher',
  'SagaLine|SagaPlace': 'SagaQueue, QueueEntry',
  isLatest: 'isStateCurrent',
  'restOnState|restOnNoState': 'noteStateMayBeOld, noteStateNeedsNoCheck',
  'keepSent\\w*|unkept': 'saveProgress, unsaved',
  readKept: 'readSnapshot',
  'FoldedContribution|MAX_FOLDED\\w*|assertFolded': 'CollectedContribution, MAX_COLLECTED, assertCollected',
  'RecordHolder|holderKey': 'RecordSagaItem, sagaItemKey',
  draftedBy: 'contributionsOrigin',
  flowSource: 'configuredFlow',
  'stated(?!MessageSize)[A-Z]\\w*': '…FromEnvironment',
  environmentVariables: 'a row of lib/settings',
  'PropCheck|OptionCheck': 'Check',
  usedSettings: 'resolveAlarm',
  acknowledgements: 'nagSuppressions',
  itemizedSteps: 'the formulas in bench/peers',
  AnyResource: 'construct-types',
  recovery: 'recoverability',
  'sweep\\w*': 'relay',
  timeToKeepDeduplicationData: 'deduplicationPeriod',
};

const sources = readSources('lib');

describe('the names of lib', () => {
  it.each(Object.entries(retired))('that match %s are given up for %s', (name, _current) => {
    const found = new RegExp(`\\b(?:${name})\\b`);
    const lines = sources.flatMap(({ path, code }) =>
      code.split('\n').flatMap((line) => (found.test(line) ? [`${path}: ${line.trim()}`] : [])),
    );
    expect(lines).toEqual([]);
  });
});
