export type { CapacityTotals } from './capacity-totals.ts';
export { type DynamoDBEngine, type DynamoDBEngineOptions, startDynamoDB } from './engines/dynamodb-engine.ts';
export type { InvocationReport } from './event-source.ts';
export {
  type EventEmulator,
  type EventEmulatorOptions,
  startEventEmulator,
} from './events/event-emulator.ts';
export type { UndeliveredMessage } from './events/queue-sender.ts';
export type { PendingSchedule } from './events/schedules.ts';
export type { FaultRule } from './faults.ts';
export type { InvocationOutcome } from './function-instance.ts';
export { type LocalApp, startLocalApp } from './local-app.ts';
export type { LocalAppOptions, OutputLine } from './local-app-options.ts';
export type { CallAnswer, ProxiedCall } from './proxied-call.ts';
export type { LocalResource, ResourcesNotRun } from './resource-model.ts';
export type { RunningEngine } from './running-engine.ts';
export { type SqsEmulator, type SqsEmulatorOptions, startSqsEmulator } from './sqs-emulator.ts';
export type { SqsEventAttribute, SqsEventRecord } from './sqs-event.ts';
