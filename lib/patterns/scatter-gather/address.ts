/** Which node of which tree: each is a saga of its own. */
export interface NodeAddress {
  /** Of the scatter-gather, as its starter gave it. */
  readonly id: string;
  /** Of one start, so that a later one under the same id gathers nothing of it. */
  readonly run: string;
  /** From the root to the node, as in '3.0'; empty for the root. */
  readonly path: string;
}

/** A root has the id of its scatter-gather, under which it can be cancelled. */
export function nodeId({ id, run, path }: NodeAddress): string {
  return path === '' ? id : `${id}/${run}/${path}`;
}

export function partOf({ id, run, path }: NodeAddress, part: number): NodeAddress {
  return { id, run, path: path === '' ? String(part) : `${path}.${part}` };
}

/** Its parent, and which of its parts it is; undefined for a root. */
export function parentOf({ id, run, path }: NodeAddress): { address: NodeAddress; part: number } | undefined {
  if (path === '') return undefined;
  const parts = path.split('.');
  return { part: Number(parts.pop()), address: { id, run, path: parts.join('.') } };
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const partPattern = new RegExp(`/${uuid}/[0-9.]*$`);
const runPattern = new RegExp(`^${uuid}$`);
const pathPattern = /^(?:\d+(?:\.\d+)*)?$/;
const requestPattern = new RegExp(`^(.+)/(${uuid})/([0-9.]*)/([0-9]+)$`, 's');

/** Whether a scatter-gather with this id could meet a part of another one. */
export function isPartId(id: string): boolean {
  return partPattern.test(id);
}

/** Whether it can be one: what else stands between slashes could make the id of a node of another tree. */
export function isRun(value: unknown): value is string {
  return typeof value === 'string' && runPattern.test(value);
}

/** Whether it can be one, as {@link isRun}. */
export function isPath(value: unknown): value is string {
  return typeof value === 'string' && pathPattern.test(value);
}

/** @param index of the request, from 0, among all of its scatter-gather */
export function requestIdOf({ id, run, path }: NodeAddress, index: number): string {
  return `${id}/${run}/${path}/${index}`;
}

/** Which node sent a request, and which one it was; undefined for what is no request id of ours. */
export function readRequestId(requestId: string): { sender: NodeAddress; index: number } | undefined {
  const [, id, run, path, index] = requestPattern.exec(requestId) ?? [];
  if (id === undefined || run === undefined || path === undefined) return undefined;
  return { sender: { id, run, path }, index: Number(index) };
}
