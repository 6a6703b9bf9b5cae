import { textTable } from '../../charts/text-table.ts';
import { parsedJson } from '../../core/parsed-json.ts';
import type { LocalApp } from '../../local/index.ts';
import { resourceLabels } from './resource-labels.ts';

/** What a user needs to know of a running app. */
export interface StartedApp {
  readonly event: 'started';
  readonly dynamoDBEngine: string;
  /** With these variables, other programs find the app. */
  readonly environment: Readonly<Record<string, string>>;
  /** URLs by the endpoint that a queue feeds, or by its name. */
  readonly queues: Readonly<Record<string, string>>;
  /** Without those that the CDK and sagabox add. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly notRun: LocalApp['notRun'];
}

export function startedApp(app: LocalApp): StartedApp {
  const { endpoint, region, credentials } = app.clientConfig;
  const { queueLabel } = resourceLabels(app.resources);
  const queues = app.resources.filter(({ type }) => type === 'AWS::SQS::Queue');
  return {
    event: 'started',
    dynamoDBEngine: app.dynamoDBEngine,
    environment: {
      AWS_ENDPOINT_URL: endpoint,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    queues: Object.fromEntries(queues.map(({ name }) => [queueLabel(name), app.queueUrl(name)])),
    outputs: shortOutputs(app.outputs),
    notRun: app.notRun,
  };
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

export function startedLines({ dynamoDBEngine, environment, queues, outputs, notRun }: StartedApp): string[] {
  const list = (title: string, values: Readonly<Record<string, string>>): string[] => {
    const rows = Object.entries(values).map(([name, value]) => [`  ${name}`, value]);
    return rows.length === 0 ? [] : ['', title, ...textTable(rows, ['left', 'left'])];
  };
  const types = new Set(notRun.map(({ type }) => type));
  return [
    `The app runs at ${environment.AWS_ENDPOINT_URL}, on ${dynamoDBEngine}. Ctrl-C ends it.`,
    ...list('Queues', queues),
    ...list('Outputs', outputs),
    ...(types.size === 0 ? [] : ['', `Not run here: ${[...types].join(', ')}`]),
    '',
    'For other programs:',
    ...Object.entries(environment).map(([name, value]) => `  export ${name}=${value}`),
    '',
  ];
}
