import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { differenceHere, engineDifferences, engineLabel, engineName } from '../support/engine-differences.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { disableSdkRetries } from '../support/faults.ts';
import { cells } from '../support/samples.ts';
import { repository } from '../support/source-files.ts';
import type { Behaviour, Bench, Simulation } from './dynamodb-behaviours/behaviour.ts';
import { behaviours, unshownBehaviours } from './dynamodb-behaviours/index.ts';
import { createTables } from './dynamodb-behaviours/tables.ts';

const client = dynamoDBClient();
disableSdkRetries(client);

let bench: Bench;
let keys = 0;
beforeAll(async () => {
  const newKey = () => {
    keys += 1;
    return { PK: { S: `behaviour-${String(keys).padStart(5, '0')}` }, SK: { S: 'x' } };
  };
  bench = { client, ...(await createTables(client)), newKey };
});

const all = Object.values(behaviours).flat();

/** Where the package is tested against what the engine does not show. */
async function expectSimulation({ file, mentions }: Simulation): Promise<void> {
  expect(await readFile(join(repository, file), 'utf8')).toContain(mentions);
}

function defineTest(behaviour: Behaviour): void {
  const { states, source, observe, onDynamoDB, instead, simulatedIn } = behaviour;
  const engine = engineLabel;
  const difference = behaviour.difference && differenceHere(behaviour.difference);
  if (difference === undefined || engine === undefined) {
    it(`${states} ("${source}")`, async () => {
      expect(await observe(bench)).toEqual(onDynamoDB);
    });
    return;
  }
  it(`cannot be shown on ${engine} (${difference.reason}): ${states} ("${source}")`, async () => {
    const observed = await observe(bench);
    expect(observed).not.toEqual(onDynamoDB);
    expect(observed).toEqual(instead?.[engine]);
    if (simulatedIn) await expectSimulation(simulatedIn);
  });
}

describe(`what the package relies on, on ${engineName}`, () => {
  describe.each(Object.entries(behaviours))('%s', (_topic, ofTopic) => {
    for (const behaviour of cells(ofTopic, ({ isLarge }) => !isLarge)) defineTest(behaviour);
  });

  describe('what no engine shows in the time of a test', () => {
    it.each(unshownBehaviours)('$states ("$source"): $reason', async ({ simulatedIn }) => {
      await expectSimulation(simulatedIn);
    });
  });
});

describe('the list of behaviours', () => {
  it('names what each engine does otherwise, for the engines of the difference and for no other', () => {
    for (const { states, difference, instead = {} } of all) {
      const engines = difference ? engineDifferences[difference].engines : [];
      expect([states, Object.keys(instead).toSorted()]).toEqual([states, engines.toSorted()]);
    }
  });

  it('has every difference between the engines', () => {
    const named = new Set(all.map(({ difference }) => difference).filter((name) => name !== undefined));
    expect([...named].toSorted()).toEqual(Object.keys(engineDifferences).toSorted());
  });

  it('says where the package is tested against what neither engine shows', async () => {
    const unshown = all.filter(({ instead = {} }) => Object.keys(instead).length === 2);
    expect(unshown.length).toBeGreaterThan(0);
    for (const { states, simulatedIn } of unshown) {
      expect([states, simulatedIn]).toEqual([states, expect.anything()]);
    }
    for (const { simulatedIn } of all) if (simulatedIn) await expectSimulation(simulatedIn);
  });

  it('states each behaviour once', () => {
    const stated = [...all, ...unshownBehaviours].map(({ states }) => states);
    expect(new Set(stated).size).toBe(stated.length);
  });
});
