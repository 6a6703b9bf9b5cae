import { SagaboxError } from '../../core/failures/errors.ts';

/** What is wrong with one value, and where it is, such as `message.sagaBytes`. */
export interface Problem {
  readonly path: string;
  readonly problem: string;
}

/** One error with all problems. */
export function problemsError(setting: string, problems: readonly Problem[], cause?: unknown): SagaboxError {
  const all = problems.map(({ path, problem }) => (path === '' ? problem : `${path} ${problem}`));
  return new SagaboxError(
    'Configuration',
    { setting, problem: all.join('; '), remedy: 'Correct each of them' },
    cause === undefined ? undefined : { cause },
  );
}
