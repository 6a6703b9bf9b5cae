import { aString, type Check } from '../../kernel/checks/checks.ts';
import { VARIABLE_PREFIX } from '../../settings/setting.ts';
import { aRecordOf } from '../checks/prop-checks.ts';

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
    problem: 'it would be overwritten by the endpoint',
    remedy: `Use names that do not begin with ${VARIABLE_PREFIX}`,
  },
  {
    is: (name) => reservedVariables.has(name),
    problem: 'it is set by Lambda itself',
    remedy: 'Use another name',
  },
  {
    /** Source: the same page (names). */
    is: (name) => !/^[A-Za-z]\w+$/.test(name),
    problem: 'it is no name of a variable in Lambda',
    remedy: 'Use at least two letters, digits and underscores, with a letter first',
  },
];

const texts = aRecordOf(aString);

/** Variables of a function that are the user's own. */
export const variables: Check = (given, at, report) => {
  const checked = texts(given, at, report) as Readonly<Record<string, string>> | undefined;
  const all = Object.entries(checked ?? {}).filter(([name]) => {
    const wrong = wrongNames.find(({ is }) => is(name));
    if (wrong !== undefined) report.add(`${at}.${name}`, wrong.problem, wrong.remedy);
    return wrong === undefined;
  });
  return checked && Object.fromEntries(all);
};
