import type { SettingRule } from './setting-rule.ts';

const OWN_VARIABLE_PREFIX = 'SAGABOX_';

/** Source: "Working with Lambda environment variables" (reserved environment variables). */
const reservedVariables: ReadonlySet<string> = new Set([
  '_HANDLER',
  '_X_AMZN_TRACE_ID',
  'AWS_DEFAULT_REGION',
  'AWS_REGION',
  'AWS_EXECUTION_ENV',
  'AWS_LAMBDA_FUNCTION_NAME',
  'AWS_LAMBDA_FUNCTION_MEMORY_SIZE',
  'AWS_LAMBDA_FUNCTION_VERSION',
  'AWS_LAMBDA_INITIALIZATION_TYPE',
  'AWS_LAMBDA_LOG_GROUP_NAME',
  'AWS_LAMBDA_LOG_STREAM_NAME',
  'AWS_ACCESS_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_LAMBDA_RUNTIME_API',
  'LAMBDA_TASK_ROOT',
  'LAMBDA_RUNTIME_DIR',
]);

export const environmentRules: readonly SettingRule[] = [
  environmentRule('environmentLeavesOwnVariablesAlone', (name) => name.startsWith(OWN_VARIABLE_PREFIX), {
    problem: 'would be overwritten by the endpoint',
    remedy: `Use names that do not begin with ${OWN_VARIABLE_PREFIX}`,
  }),
  environmentRule('environmentLeavesReservedVariablesAlone', (name) => reservedVariables.has(name), {
    problem: 'is set by Lambda itself',
    remedy: 'Use another name',
  }),
  /** Source: the same page (names). */
  environmentRule('environmentHasNamesOfVariables', (name) => !/^[A-Za-z]\w+$/.test(name), {
    problem: 'is no name of a variable in Lambda',
    remedy: 'Use at least two letters, digits and underscores, with a letter first',
  }),
];

function environmentRule(
  name: string,
  isWrong: (variable: string) => boolean,
  { problem, remedy }: { readonly problem: string; readonly remedy: string },
): SettingRule {
  return {
    name,
    setting: 'environment',
    problemOf: ({ environment }) => {
      const wrong = Object.keys(environment ?? {}).filter(isWrong);
      return wrong.length === 0
        ? undefined
        : { problem: wrong.map((each) => `'${each}' ${problem}`).join(', '), remedy };
    },
  };
}
