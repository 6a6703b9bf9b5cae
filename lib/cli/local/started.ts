import { textTable } from '../../charts/text-table.ts';
import { parsedJson } from '../../kernel/parsed-json.ts';
import { shortNames } from '../../local/app/resources/named-resource.ts';
import type { LocalApp } from '../../local/index.ts';
import { eventSourceDefinitions } from '../../local/lambda/event-source-definition.ts';

/** Of each list, on a terminal. */
const MAX_ROWS = 12;

/** What a user needs to know of a running app. */
export interface StartedApp {
  readonly event: 'started';
  readonly dynamoDBEngine: string;
  /** With these variables, other programs find the app. */
  readonly environment: Readonly<Record<string, string>>;
  /** Names by what people call them, as everything else here. */
  readonly tables: Readonly<Record<string, string>>;
  /** URLs; those that feed a function first. */
  readonly queues: Readonly<Record<string, string>>;
  /** Names. */
  readonly functions: Readonly<Record<string, string>>;
  /** Without those that the CDK and sagabox add. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly notRun: LocalApp['notRun'];
}

export function startedApp(app: LocalApp): StartedApp {
  const { endpoint, region, credentials } = app.clientConfig;
  const fed = new Set(eventSourceDefinitions(app.resources).map(({ queueName }) => queueName));
  const queues = [...shortNames(app.resources, 'queue')].sort(
    ([one], [other]) => Number(fed.has(other)) - Number(fed.has(one)),
  );
  return {
    event: 'started',
    dynamoDBEngine: app.dynamoDBEngine,
    environment: {
      AWS_ENDPOINT_URL: endpoint,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    tables: namesByShort(shortNames(app.resources, 'table')),
    queues: Object.fromEntries(queues.map(([name, short]) => [short, app.queueUrl(name)])),
    functions: namesByShort(shortNames(app.resources, 'function')),
    outputs: shortOutputs(app.outputs),
    notRun: app.notRun,
  };
}

function namesByShort(names: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...names].map(([name, short]) => [short, name]));
}

/** Those that the app declares, each once: by its logical id alone where that says which. */
function shortOutputs(outputs: LocalApp['outputs']): Record<string, string> {
  const ownWords = Object.entries(outputs).filter(([name, value]) => !isOfCdk(name) && !isOfEndpoint(value));
  return Object.fromEntries(
    ownWords.filter(([name]) => !name.includes('.') || !Object.hasOwn(outputs, name.replace(/^.*\./, ''))),
  );
}

/** What one stack takes from another. */
function isOfCdk(name: string): boolean {
  return /^(.*\.)?(Exports|Publish)Output/.test(name);
}

function isOfEndpoint(output: string): boolean {
  const parsed = parsedJson(output) as { sagaboxEndpoint?: unknown } | null | undefined;
  return parsed?.sagaboxEndpoint !== undefined;
}

export function startedLines(started: StartedApp): string[] {
  const { dynamoDBEngine, environment, notRun } = started;
  const types = new Set(notRun.map(({ type }) => type));
  return [
    `The app runs at ${environment.AWS_ENDPOINT_URL}, on ${dynamoDBEngine}. Ctrl-C ends it.`,
    ...list('Tables', started.tables),
    ...list('Queues', started.queues),
    ...list('Functions', started.functions),
    ...list('Outputs', started.outputs),
    ...(types.size === 0 ? [] : ['', `Not run here: ${[...types].join(', ')}`]),
    '',
    'For other programs:',
    ...Object.entries(environment).map(([name, value]) => `  export ${name}=${value}`),
    '',
  ];
}

function list(title: string, values: Readonly<Record<string, string>>): string[] {
  const rows = Object.entries(values).map(([name, value]) => [`  ${name}`, value]);
  if (rows.length === 0) return [];
  const left = rows.length - MAX_ROWS;
  const rest = left > 0 ? [`  and ${left} more: --json lists all`] : [];
  return ['', title, ...textTable(rows.slice(0, MAX_ROWS), ['left', 'left']), ...rest];
}
