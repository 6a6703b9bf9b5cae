import { VARIABLE_PREFIX } from '../../settings/setting.ts';
import type { SettingRule } from './setting-rule.ts';

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

interface WrongName {
  is(variable: string): boolean;
  readonly problem: string;
  readonly remedy: string;
}

const wrongNames: readonly WrongName[] = [
  {
    is: (name) => name.startsWith(VARIABLE_PREFIX),
    problem: 'would be overwritten by the endpoint',
    remedy: `Use names that do not begin with ${VARIABLE_PREFIX}`,
  },
  {
    is: (name) => reservedVariables.has(name),
    problem: 'is set by Lambda itself',
    remedy: 'Use another name',
  },
  {
    /** Source: the same page (names). */
    is: (name) => !/^[A-Za-z]\w+$/.test(name),
    problem: 'is no name of a variable in Lambda',
    remedy: 'Use at least two letters, digits and underscores, with a letter first',
  },
];

/** All of them at once. */
export const environmentRule: SettingRule = {
  name: 'environmentHasUsableNames',
  setting: 'environment',
  problemOf: ({ environment = {} }) => {
    const found = Object.keys(environment).flatMap((name) => {
      const wrong = wrongNames.find(({ is }) => is(name));
      return wrong === undefined ? [] : [{ problem: `'${name}' ${wrong.problem}`, remedy: wrong.remedy }];
    });
    if (found.length === 0) return undefined;
    return {
      problem: found.map(({ problem }) => problem).join(', '),
      remedy: [...new Set(found.map(({ remedy }) => remedy))].join('. '),
    };
  },
};
