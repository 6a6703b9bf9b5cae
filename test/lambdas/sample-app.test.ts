import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Resource, synthesizeSample } from './synthesize-sample.ts';

describe('the sample app', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sagabox-sample-'));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('tells where its queues and tables are', () => {
    const { outputNames } = synthesizeSample({ outputFolder: folder, bundle: false });
    expect([...outputNames].sort()).toEqual([
      'ChargesTableName',
      'NotificationsQueueUrl',
      'OrdersQueueUrl',
      'OutboxTableName',
      'SagaTableName',
      'ShipmentsTableName',
    ]);
  });

  it('leaves nothing behind when it is destroyed', () => {
    const { resources } = synthesizeSample({ outputFolder: folder, bundle: false });
    expect(Object.values(resources).filter((resource) => 'DeletionPolicy' in resource)).not.toHaveLength(0);
    expect(JSON.stringify(resources)).not.toContain('Retain');
  });

  it('may only count in its ledgers', () => {
    const { resources } = synthesizeSample({ outputFolder: folder, bundle: false });
    for (const [endpoint, ledger] of [
      ['Billing', 'Charges'],
      ['Shipping', 'Shipments'],
    ] as const) {
      const [policy] = ofType(resources, 'AWS::IAM::Policy').filter(([id]) => id.startsWith(endpoint));
      expect(policy?.[1].Properties).toMatchObject({
        PolicyDocument: {
          Statement: expect.arrayContaining([
            expect.objectContaining({
              Action: 'dynamodb:UpdateItem',
              Resource: [{ 'Fn::GetAtt': [expect.stringMatching(`^${ledger}`), 'Arn'] }],
            }),
          ]),
        },
      });
    }
  });

  it.each([
    [{}, undefined],
    [{ outbox: 'true' }, undefined],
    [{ outbox: 'false' }, 'false'],
    [{ outbox: false }, 'false'],
  ])('with the context %j builds its functions with SAMPLE_OUTBOX=%s', (context, variable) => {
    const { resources } = synthesizeSample({ outputFolder: folder, bundle: false, context });
    const variables = ofType(resources, 'AWS::Lambda::Function').map(
      ([, { Properties }]) =>
        (Properties.Environment as { Variables: Record<string, unknown> }).Variables.SAMPLE_OUTBOX,
    );
    expect(variables).toEqual([variable, variable, variable]);
  });
});

function ofType(resources: Record<string, Resource>, type: string): [string, Resource][] {
  return Object.entries(resources).filter(([, resource]) => resource.Type === type);
}
