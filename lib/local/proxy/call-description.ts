import { parsedJson } from '../../kernel/parsed-json.ts';
import type { ProxiedCall } from './proxied-call.ts';

/** A request as it came over the wire. */
export interface WireRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** The header X-Amz-Target, of the JSON protocols. */
  readonly target: string | undefined;
  readonly body: Buffer;
}

type Description = Pick<ProxiedCall, 'operation' | 'request'>;

const verbs: Readonly<Record<string, string>> = { HEAD: 'Head', GET: 'Get', PUT: 'Put', DELETE: 'Delete' };
const scheduleVerbs: typeof verbs = { GET: 'Get', POST: 'Create', PUT: 'Update', DELETE: 'Delete' };

/** Names the operation of a call and its request, in whichever protocol the service speaks. */
export function describeCall(service: ProxiedCall['service'], request: WireRequest): Description {
  if (service === 'sns') return describeForm(request);
  if (service === 's3') return describeObjectCall(request);
  if (service === 'scheduler') return describeScheduleCall(request);
  if (service === 'lambda') return describeLambdaCall(request);
  return { operation: request.target?.split('.').at(-1) ?? '', request: parseJson(request.body) };
}

/** A JSON object of the wire; empty for what is none. */
export function parseJson(body: Buffer): Record<string, unknown> {
  return (parsedJson(body.toString('utf8')) ?? {}) as Record<string, unknown>;
}

function describeForm({ body }: WireRequest): Description {
  const form = Object.fromEntries(new URLSearchParams(body.toString('utf8')));
  return { operation: form.Action ?? '', request: form };
}

/** SDK clients tell the operation in `x-id` where the method does not. */
function describeObjectCall({ method, path }: WireRequest): Description {
  const url = new URL(path, 'http://s3');
  const [bucket = '', ...key] = url.pathname.slice(1).split('/').map(decodeURIComponent);
  const name = key.join('/');
  const byMethod =
    verbs[method] === undefined ? method : `${verbs[method]}${name === '' ? 'Bucket' : 'Object'}`;
  return {
    operation: url.searchParams.get('x-id') ?? byMethod,
    request: { Bucket: bucket, ...(name !== '' && { Key: name }) },
  };
}

function describeScheduleCall({ method, path, body }: WireRequest): Description {
  const url = new URL(path, 'http://scheduler');
  const [kind, name = ''] = url.pathname.slice(1).split('/').map(decodeURIComponent);
  const verb = scheduleVerbs[method] ?? method;
  const groupName = url.searchParams.get('groupName');
  return {
    operation: `${verb}${kind === 'schedule-groups' ? 'ScheduleGroup' : 'Schedule'}`,
    request: { ...parseJson(body), Name: name, ...(groupName !== null && { GroupName: groupName }) },
  };
}

function describeLambdaCall({ method, path }: WireRequest): Description {
  const [, , kind, name = ''] = new URL(path, 'http://lambda').pathname.split('/').map(decodeURIComponent);
  return kind === 'event-source-mappings'
    ? { operation: `${verbs[method] ?? method}EventSourceMapping`, request: { UUID: name } }
    : { operation: 'Invoke', request: { FunctionName: name } };
}
