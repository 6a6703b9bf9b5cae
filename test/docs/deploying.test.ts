import { describe, expect, it } from '@jest/globals';
import { Stage } from 'aws-cdk-lib';
import { stackLimits } from '../../lib/constructs/limits/stack-limits.ts';
import { proofApp } from '../deployment/app/proof-app.ts';
import { readPage, section, tableRows } from '../support/page-tables.ts';
import { directoryOfTest } from '../support/temporary-directory.ts';
import { permissionTableNames, withPermissionTables } from './permission-tables.ts';

const page = readPage('guide/deploying.md');
const inFolder = directoryOfTest();

describe('docs/guide/deploying.md', () => {
  it('has the rights for the resources of an app of all constructs', () => {
    const app = proofApp({ context: { 'aws:cdk:bundling-stacks': [] }, outdir: inFolder('app') });
    const stages = app.node.findAll().filter((one) => Stage.isStage(one)) as Stage[];
    const templates = stages.flatMap((stage) => stage.synth().stacks.map(({ template }) => template));
    const types = templates.flatMap(({ Resources }) =>
      Object.values<{ Type: string }>(Resources).map(({ Type }) => Type),
    );
    const services = new Set(types.map((type) => type.split('::')[1]?.toLowerCase()));
    // The API in front of its sessions is none of sagabox's constructs.
    services.delete('apigatewayv2');
    expect(services.size).toBeGreaterThan(10);
    const rows = tableRows(section(page, '## Rights of a deployer'));
    expect([...services].filter((service) => !rows.has(service ?? ''))).toEqual([]);
  });

  it('has the limits that are checked', () => {
    const rows = tableRows(section(page, '## Limits'));
    const written = (number: number) => number.toLocaleString('en');
    expect([
      rows.get('resources of a stack')?.[0],
      rows.get('template')?.[0],
      rows.get('inline policies of a role')?.[0],
      rows.get('environment of a function')?.[0],
      rows.get('policy of a queue')?.[0],
    ]).toEqual([
      written(stackLimits.resources),
      `${stackLimits.templateBytes / 2 ** 20} MiB`,
      `${written(stackLimits.roleInlinePolicyCharacters)} characters`,
      `${written(stackLimits.environmentBytes)} bytes`,
      `${stackLimits.queuePolicyStatements} statements, ${written(stackLimits.queuePolicyBytes)} bytes`,
    ]);
  });
});

it('docs/guide/security.md has what roles are granted: run test/docs/permission-tables.ts when it has not', () => {
  const security = readPage('guide/security.md');
  expect(security).toContain('`dynamodb:PartiQLUpdate`');
  const shown = [...security.matchAll(/<!-- permissions: (\w+) -->/g)].map(([, name]) => name);
  expect(shown).toEqual(permissionTableNames);
  expect(security).toBe(withPermissionTables(security));
});
