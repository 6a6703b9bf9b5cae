/** What a function instance is told, and what it answers, over the IPC channel. */
export interface InvokeRequest {
  readonly requestId: string;
  readonly event: unknown;
  readonly deadlineMs: number;
}

export type InstanceMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'initFailed'; readonly error: string }
  | { readonly kind: 'result'; readonly requestId: string; readonly result: unknown }
  | { readonly kind: 'error'; readonly requestId: string; readonly error: string };

/** Environment variables that tell the instance's entry what to load. */
export const instanceVariables = { handler: '_HANDLER', taskRoot: 'LAMBDA_TASK_ROOT' } as const;
