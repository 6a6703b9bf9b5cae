import { SagaboxError } from '../../lib/kernel/errors/errors.ts';

/** What a call throws; an error when it does not throw. */
export async function errorOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('It was to throw, and did not');
}

/** The SagaboxError that a call throws; anything else that it throws is thrown on. */
export async function sagaboxErrorOf(call: Promise<unknown>): Promise<SagaboxError> {
  const error = await errorOf(call);
  if (error instanceof SagaboxError) return error;
  throw error;
}

/** The code of the SagaboxError that a call throws. */
export async function codeOf(call: Promise<unknown>): Promise<SagaboxError['code']> {
  return (await sagaboxErrorOf(call)).code;
}

/** The SagaboxError that a call throws. */
export function refusalOf(call: () => unknown): SagaboxError {
  try {
    call();
  } catch (error) {
    if (error instanceof SagaboxError) return error;
    throw error;
  }
  throw new Error('It was to be refused, and was not');
}
