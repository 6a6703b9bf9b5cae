import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { MessageSchemas } from '../../messages/schema.ts';
import { isPartId, isPath, isRun, type NodeAddress, requestIdOf } from './address.ts';
import {
  anArray,
  anIndex,
  anything,
  aString,
  bodySchema,
  optional,
  type PropertyCheck,
} from './body-schema.ts';
import { scatterGatherLimits } from './limits.ts';
import { lastPath } from './tree.ts';

/** What starts a scatter-gather. */
export interface ScatterGatherStart<Request = unknown> {
  /** Under which it can be cancelled, and which its result has: another one for each that runs. */
  id: string;
  /** The bodies of its requests, 1 to 10,000, without their `requestId`. */
  requests: readonly Request[];
}

/** What a scatter-gather ends with. */
export interface ScatterGatherResult<Result = unknown> {
  id: string;
  /** `complete` if every request was answered; else what ended it before. */
  outcome: 'complete' | 'timedOut' | 'cancelled';
  /** How many there were. */
  requests: number;
  /** Which of them were not answered, by their index, in ascending order. */
  missing: number[];
  /** Of all replies that were. */
  result: Result;
}

/** From a node to each of its parts. */
export interface Part extends NodeAddress {
  /** How long the node waits for its report, from when it sends the part. */
  readonly waitsMs: number;
  readonly first: number;
  readonly requests: readonly object[];
}

/** From a part to its parent, whose address it has. */
export interface Report extends NodeAddress {
  readonly part: number;
  readonly result: unknown;
  readonly missing: readonly number[];
}

/** From anybody to the root, and from there to the parts. */
export type Cancel = Pick<NodeAddress, 'id'> & Partial<NodeAddress>;

/** The names of the messages of one scatter-gather. */
export function messageTypes<Name extends string>(name: Name) {
  return {
    start: `${name}Start`,
    cancel: `${name}Cancel`,
    gathered: `${name}Gathered`,
    part: `${name}Part`,
    report: `${name}Report`,
    timedOut: `${name}TimedOut`,
  } as const satisfies Record<string, string>;
}

const aRun: PropertyCheck = (value) => (isRun(value) ? undefined : 'it is no UUID');
const aPath: PropertyCheck = (value) => (isPath(value) ? undefined : 'it is no path of numbers');
const addressChecks = { id: aString, run: aRun, path: aPath };

export const partSchema = bodySchema<Part>({
  ...addressChecks,
  waitsMs: anIndex,
  first: anIndex,
  requests: anArray,
});
export const reportSchema = bodySchema<Report>({
  ...addressChecks,
  part: anIndex,
  result: anything,
  missing: anArray,
});
export const timedOutSchema = bodySchema<NodeAddress>(addressChecks);
export const cancelSchema = bodySchema<Cancel>({
  id: aString,
  run: optional(aRun),
  path: optional(aPath),
});
export const gatheredSchema = bodySchema<ScatterGatherResult<never>>({
  id: aString,
  outcome: aString,
  requests: anIndex,
  missing: anArray,
  result: anything,
});

/** With every request checked: one that does not fit is refused before the first one is sent. */
export function startSchema(
  requestSchema: MessageSchemas[string],
  width: number,
): StandardSchemaV1<ScatterGatherStart> {
  return bodySchema<ScatterGatherStart>({ id: aString, requests: anArray }, ({ id, requests }) => {
    const { maxRequests } = scatterGatherLimits;
    if (isPartId(id)) return [{ message: 'it is the id of a part of another one', path: ['id'] }];
    if (requests.length === 0 || requests.length > maxRequests) {
      const message = `there are ${requests.length}, and it takes 1 to ${maxRequests}`;
      return [{ message, path: ['requests'] }];
    }
    const sender = longestAddress(id, requests.length, width);
    const checks = requests.map((request, index) =>
      requestIssues(request, requestIdOf(sender, index), index, requestSchema),
    );
    return checks.some((check) => check instanceof Promise)
      ? Promise.all(checks).then((issues) => issues.flat())
      : (checks as Issues[]).flat();
  });
}

type Issues = readonly StandardSchemaV1.Issue[];

/** As long as any of a node that sends requests: a schema may have a limit for their ids. */
function longestAddress(id: string, count: number, width: number): NodeAddress {
  const path = lastPath(count, width).join('.');
  return { id, run: '00000000-0000-8000-8000-000000000000', path };
}

function requestIssues(
  request: unknown,
  requestId: string,
  index: number,
  schema: MessageSchemas[string],
): Issues | Promise<Issues> {
  const body = { ...Object(request), requestId };
  const validation = schema['~standard'].validate(body);
  const issuesOf = (result: StandardSchemaV1.Result<unknown>): Issues =>
    (result.issues ?? []).map((issue) => ({ ...issue, path: ['requests', index, ...(issue.path ?? [])] }));
  return 'then' in validation ? validation.then(issuesOf) : issuesOf(validation);
}
