import { expect, it } from '@jest/globals';
import { assertNoRenamedVariables } from '../../../lib/core/checks/renamed-settings.ts';
import { configureFlow } from '../../../lib/middleware/configure-flow.ts';

it.each([
  ['SAGABOX_RECOVERY', 'SAGABOX_RELAY'],
  ['SAGABOX_RECOVERY_INDEX', 'SAGABOX_RELAY_INDEX'],
  ['SAGABOX_TIME_TO_KEEP_DEDUPLICATION_DATA_SECONDS', 'SAGABOX_DEDUPLICATION_PERIOD_SECONDS'],
])('the old variable %s is refused with the name of the new one', (variable, renamed) => {
  const environment = { SAGABOX_ENDPOINT: 'orders', [variable]: '1' };
  expect(() => configureFlow({ outbox: false }, environment)).toThrow(
    expect.objectContaining({ code: 'Configuration', message: expect.stringContaining(`'${renamed}'`) }),
  );
});

it('other variables are none of ours', () => {
  expect(() => assertNoRenamedVariables({ SAGABOX_RELAY: '{}', RECOVERY: '1' })).not.toThrow();
  expect(() => assertNoRenamedVariables({ retentionDays: '3' })).not.toThrow();
});
