export type { LocalAppOptions, OutputLine } from './app/options.ts';
export type { LocalResource, ResourcesNotRun } from './app/resources/model.ts';
export { type LocalApp, startLocalApp } from './app/start.ts';
export { type DynamoDBEngine, type DynamoDBEngineOptions, startDynamoDB } from './engines/dynamodb.ts';
export type { RunningEngine } from './engines/running-engine.ts';
export { type SqsEmulator, type SqsEmulatorOptions, startSqsEmulator } from './engines/sqs/emulator.ts';
export {
  type EventEmulator,
  type EventEmulatorOptions,
  startEventEmulator,
} from './events/emulator.ts';
export type { UndeliveredMessage } from './events/queue-sender.ts';
export type { PendingSchedule } from './events/scheduler/schedules.ts';
export type { InvocationReport } from './lambda/event-source.ts';
export type { InvocationOutcome } from './lambda/function-instance.ts';
export type { SqsEventAttribute, SqsEventRecord } from './lambda/sqs-event.ts';
export type { CapacityTotals } from './proxy/capacity-totals.ts';
export type { FaultRule } from './proxy/faults.ts';
export type { CallAnswer, ProxiedCall } from './proxy/proxied-call.ts';
