export { CallRecorder, type WatchedClient } from './call-recorder.ts';
export type { CapacityReport } from './capacity-report.ts';
export type { ComparedStep, StepFigures } from './comparison.ts';
export { formatReport } from './format-report.ts';
export type { ObservedMessage, ObservedMessages } from './observed-messages.ts';
export type { MeteredCall, RecordedCall } from './recorded-call.ts';
