import { defined } from '../../kernel/defined.ts';
import type { FunctionProps } from '../endpoint/function-props.ts';
import type { OutboxRelayProps } from './outbox-relay-props.ts';

/** Those of its watcher: without what is of one function, as its name, and of the project of an entry of the user's. */
export function propsOfWatcher(
  {
    functionName: _functionName,
    description: _description,
    reservedConcurrentExecutions: _reservedConcurrentExecutions,
    depsLockFilePath,
    projectRoot,
    ...others
  }: FunctionProps,
  { entry }: Partial<OutboxRelayProps>,
): FunctionProps {
  return entry === undefined ? { ...others, ...defined({ depsLockFilePath, projectRoot }) } : others;
}
