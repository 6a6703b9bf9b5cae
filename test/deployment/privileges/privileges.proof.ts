import { expect, it } from '@jest/globals';
import { readCloudAssembly } from '../../../lib/local/app/cloud-assembly.ts';
import { localAppFolder } from '../../support/local-app-folder.ts';
import { apps, synthesize } from '../cdk/assemblies.ts';
import { grantedPolicies } from './granted-policies.ts';
import { type AccessRequest, listOf, statementsThatAllow } from './iam-policy.ts';
import { journeyOfProof } from './journey.ts';
import { neededAccess } from './needed-access.ts';

const inFolder = localAppFolder();

/** What a permission is for: the kind of the role, the action, and the kind of what it is used on. */
type Use = string;

/** Tables by their logical ids: what a table holds decides what may be done with it. */
const tables: readonly (readonly [start: string, kind: string])[] = [
  ['ProofStore-Sagas', 'optimistic sagas'],
  ['ProofOffice-StockTable', 'pessimistic sagas and outbox'],
  ['ProofStore-Outbox', 'outbox'],
  ['ProofOffice-AuditTable', 'outbox'],
];

/** Used by no function: the deployment proof redrives and relays with it. */
const isOfPeople = (role: string) => /Operator/.test(role);

function useOf(role: string, action: string, resource: string): Use {
  const [, table, index = ''] = /:table\/([^/]+)(\/index\/.*)?$/.exec(resource) ?? [];
  const known = tables.find(([start]) => table?.startsWith(start));
  const kind = table === undefined ? '' : ` on ${known?.[1] ?? table}${index}`;
  return `${roleKind(role)}: ${action}${kind}`;
}

function roleKind(role: string): string {
  if (/Scheduler/.test(role)) return 'scheduler';
  if (/PlaceOrder/.test(role)) return 'session';
  if (/Watcher/.test(role)) return 'watcher';
  return /Relay/.test(role) ? 'relay' : 'endpoint';
}

/**
 * The endpoints of the app together use each permission that the constructs grant to one of its kind, on
 * this machine; that AWS would allow each call follows from its documentation, which is followed here.
 */
it('each role of an app of all constructs may do what it does, and no more', async () => {
  const assembly = inFolder('cdk.out');
  await synthesize(apps.proof, assembly, new AbortController().signal, { updated: true });
  const granted = grantedPolicies(await readCloudAssembly(assembly));
  const denied = new Set<string>();
  const used = new Set<Use>();
  for (const { role, requests } of neededAccess(await journeyOfProof(assembly))) {
    for (const request of requests) {
      const allowing = statementsThatAllow(granted.get(role) ?? [], request);
      if (allowing.length === 0) denied.add(inWords(role, request));
      else used.add(useOf(role, request.action, request.resource));
    }
  }
  const ofFunctions = [...granted].filter(([role]) => !isOfPeople(role));
  const uses = ofFunctions.flatMap(([role, statements]) =>
    statements.flatMap(({ Action, Resource }) =>
      listOf(Action).flatMap((action) => listOf(Resource).map((resource) => useOf(role, action, resource))),
    ),
  );
  const unused = new Set(uses.filter((use) => !used.has(use)));
  expect([...denied].sort()).toEqual([]);
  expect([...unused].sort()).toEqual([]);
}, 700_000);

function inWords(role: string, { action, resource, context = {} }: AccessRequest): string {
  return `${role} ${action} ${resource} ${JSON.stringify(context)}`;
}
