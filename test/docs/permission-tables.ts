import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import {
  ClaimCheckBucket,
  MessageEndpoint,
  type MessageEndpointProps,
  MessageScheduler,
  OutboxRelay,
  OutboxTable,
  SagaTable,
} from 'sagabox/constructs';
import { repository } from '../support/source-files.ts';

export const securityPage = new URL('../../docs/guide/security.md', import.meta.url);

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

type Grant = readonly [what: string, role: string, without?: string];

/** What is granted for it, by the tables of the page: the statements of its role that the other one lacks. */
const grants: Readonly<Record<string, readonly Grant[]>> = {
  endpoints: [['every endpoint', 'Base']],
  settings: [
    ['a `sagaTable`', 'Saga', 'Base'],
    ['`embeddedOutbox`', 'Embedded', 'Saga'],
    ['a `claimCheck`', 'Claims', 'Base'],
    ['a `scheduler`', 'Delays', 'Base'],
  ],
  destinations: [
    ['a queue', 'ToQueue', 'Base'],
    ['a topic', 'ToTopic', 'Base'],
    ['an event bus', 'ToBus', 'Base'],
  ],
  relay: [
    ['an outbox table with a stream', 'Relay'],
    ['an outbox table without one', 'RelayByScan', 'Relay'],
    ['sagas with an embedded outbox', 'RelayOfSagas', 'Relay'],
    ['endpoints with destinations and a `scheduler`', 'RelayOfSenders', 'Relay'],
    ['the watcher, a function of its own', 'RelayWatcher'],
  ],
  scheduler: [['the role of the `MessageScheduler`', 'Scheduler']],
};

/** Constructs that have no queue of their own. */
const ofOthers = /^(Relay|Scheduler)/;

/** Of the resources of the app below, by the beginnings of their logical ids. */
const resourceNames: readonly (readonly [idBegins: RegExp, name: string])[] = [
  [/"[A-Z]\w*?LogGroup/, 'its log group'],
  [/"OutboxTable\w*","StreamArn"/, 'the stream of the outbox table'],
  [/"SagaTable\w*","StreamArn"/, 'the stream of the saga table'],
  [/event-source-mapping/, 'the mappings of its watcher'],
  [/"OutboxTable/, 'the outbox table'],
  [/"SagaTable/, 'the saga table'],
  [/"[A-Z]\w*?ErrorQueue/, 'its error queue'],
  [/"Receiver/, 'that queue'],
  [/"SchedulerDeadLetterQueue/, 'its dead letter queue'],
  [/"SchedulerGroup/, 'its schedule group'],
  [/"SchedulerRole/, 'the role of the scheduler, for EventBridge Scheduler only'],
  [/"\/claims\/\*"/, 'the bodies in the bucket'],
  [/"\/claims\//, 'the bodies of its own in the bucket'],
  [/"Topic/, 'that topic'],
  [/"Bus/, 'that bus'],
  [/"[A-Z]\w*?Queue/, 'its queue'],
];

export const permissionTableNames = Object.keys(grants);

/** The page with what the roles of an app are granted between its markers. */
export function withPermissionTables(page: string): string {
  const statements = statementsByRole();
  return page.replaceAll(
    /(<!-- permissions: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_all, start: string, name: string, end: string) =>
      `${start}\n| for | may | on |\n|---|---|---|\n${rowsOf(grants[name] ?? [], statements).join('')}\n${end}`,
  );
}

function rowsOf(table: readonly Grant[], statements: ReadonlyMap<string, readonly Statement[]>): string[] {
  return table.flatMap(([what, role, without]) => {
    const known = new Set(without === undefined ? [] : (statements.get(without) ?? []).map(describe));
    return (statements.get(role) ?? [])
      .map(describe)
      .filter((row) => !known.has(row))
      .map((row) => (ofOthers.test(role) ? ofEndpoints(row) : row))
      .map((row, at) => `| ${at === 0 ? what : ''} | ${row} |\n`);
  });
}

/** A construct that works for endpoints has what is theirs. */
function ofEndpoints(row: string): string {
  return row
    .replace(/its queue$/, 'the queues of its endpoints')
    .replace(/its schedule group$/, 'their schedule group')
    .replace(/that (queue|topic|bus)$/, 'each $1 that they send to');
}

function describe({ Action, Resource }: Statement): string {
  const actions = [Action].flat().map((action) => `\`${action}\``);
  const text = JSON.stringify(Resource);
  const name = resourceNames.find(([pattern]) => pattern.test(text))?.[1];
  if (name === undefined) throw new Error(`No name is known for ${text}`);
  return `${actions.join(', ')} | ${name}`;
}

/** By the construct that the role is for. */
function statementsByRole(): Map<string, Statement[]> {
  const outdir = mkdtempSync(join(tmpdir(), 'sagabox-permissions-'));
  try {
    const app = new App({ outdir, context: { 'aws:cdk:bundling-stacks': [] } });
    declareApp(new Stack(app, 'Shop'));
    const { Resources } = app.synth().getStackByName('Shop').template;
    const granted = new Map<string, Statement[]>();
    for (const [id, { Type, Properties }] of Object.entries<{ Type: string; Properties: never }>(Resources)) {
      const [, role] =
        /^([A-Z]\w*?)(?:Function(?:Role)?)?(?:Role)?(?:Default)?Policy[0-9A-F]{8}$/.exec(id) ?? [];
      if (Type !== 'AWS::IAM::Policy' || role === undefined) continue;
      const { Statement } = (Properties as { PolicyDocument: { Statement: Statement[] } }).PolicyDocument;
      granted.set(role, [...(granted.get(role) ?? []), ...Statement]);
    }
    return granted;
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

function declareApp(stack: Stack): void {
  const sagaTable = new SagaTable(stack, 'SagaTable', { relayStream: true });
  const outboxTable = new OutboxTable(stack, 'OutboxTable', { relayStream: true });
  const entry = join(repository, 'examples/canary/orders.ts');
  const endpoint = (id: string, props: Partial<MessageEndpointProps> = {}) =>
    new MessageEndpoint(stack, id, { entry, outboxTable, ...props } as MessageEndpointProps);
  const base = endpoint('Base');
  endpoint('Saga', { sagaTable });
  const embedded = endpoint('Embedded', { sagaTable, embeddedOutbox: true });
  endpoint('Claims', { claimCheck: { bucket: new ClaimCheckBucket(stack, 'Bodies') } });
  const delays = endpoint('Delays', { scheduler: new MessageScheduler(stack, 'Scheduler') });
  const toQueue = endpoint('ToQueue');
  toQueue.sendsTo(endpoint('Receiver'));
  const toTopic = endpoint('ToTopic');
  toTopic.publishesTo(new Topic(stack, 'Topic'));
  const toBus = endpoint('ToBus');
  toBus.publishesTo(new EventBus(stack, 'Bus'));
  new OutboxRelay(stack, 'Relay', { endpoints: [base] });
  const withoutStream = new OutboxTable(stack, 'OutboxTableWithoutStream');
  new OutboxRelay(stack, 'RelayByScan', { endpoints: [endpoint('Scanned', { outboxTable: withoutStream })] });
  new OutboxRelay(stack, 'RelayOfSagas', { endpoints: [embedded] });
  new OutboxRelay(stack, 'RelayOfSenders', { endpoints: [toQueue, toTopic, toBus, delays] });
}

// node --conditions=sagabox-source test/docs/permission-tables.ts
if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(securityPage, withPermissionTables(readFileSync(securityPage, 'utf8')));
