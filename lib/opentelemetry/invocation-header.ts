interface InvokeStore {
  readonly getXRayTraceId?: () => string | undefined;
}

/**
 * X-Ray's header of the invocation, which the SDK sends with each request of a function. An environment that
 * runs several invocations at once has a store in place of the variable. Source: `@aws/lambda-invoke-store`.
 */
export function invocationTraceHeader(): string | undefined {
  const { awslambda } = globalThis as { awslambda?: { readonly InvokeStore?: InvokeStore } };
  return awslambda?.InvokeStore?.getXRayTraceId?.() ?? process.env._X_AMZN_TRACE_ID;
}
