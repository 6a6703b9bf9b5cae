import { defined } from '../../core/defined.ts';
import { type FunctionProps, functionPropRules, ownedSettings } from '../endpoint/function-props.ts';
import type { Violations } from '../violations.ts';
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

/** Without those that the relay sets by itself, which are reported. */
export function validFunctionProps(
  { functionProps = {} }: Partial<OutboxRelayProps>,
  violations: Violations,
): FunctionProps {
  const own = Object.entries(functionProps).filter(([name]) => {
    if (!(name in ownedSettings)) return true;
    violations.add('functionProps', `${name} is set by the relay itself`, 'Leave it out');
    return false;
  });
  const props: FunctionProps = Object.fromEntries(own);
  for (const { problemOf } of functionPropRules) {
    const found = problemOf(props);
    if (found === undefined) continue;
    violations.add('functionProps', found.problem, found.remedy);
    return {};
  }
  return props;
}
