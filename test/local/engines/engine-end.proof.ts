import { expect, it } from '@jest/globals';
import { startLocalApp } from '../../../lib/local/app/start.ts';
import { descendantsOf } from '../../support/processes.ts';
import { fixtureAssembly } from '../fixture-app.ts';

it('a local app whose DynamoDB engine ends in the middle fails with its name and the ways out', async () => {
  const before = descendantsOf(process.pid);
  const app = await startLocalApp({ assemblyDirectory: fixtureAssembly });
  const startedByApp = () => descendantsOf(process.pid).filter((id) => !before.includes(id));
  try {
    for (const id of startedByApp()) process.kill(id, 'SIGKILL');
    await expect(app.failed).rejects.toMatchObject({
      code: 'Configuration',
      message: expect.stringMatching(
        new RegExp(`^${app.dynamoDBEngine}: .*ended while it was in use.*SAGABOX_DYNAMODB_ENDPOINT`, 's'),
      ),
    });
  } finally {
    await app.stop();
  }
  expect(startedByApp()).toEqual([]);
});
