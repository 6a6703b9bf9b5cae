import { Duration, type Stack } from 'aws-cdk-lib';
import type { Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import {
  EndpointMonitoring,
  type EndpointMonitoringProps,
  type MessageEndpointProps,
  MessageScheduler,
  OutboxRelay,
  OutboxTable,
  SagaTable,
  TableCapacity,
} from 'sagabox/constructs';
import { inlineFunction, ordersEndpoint, templateOf } from '../support.ts';

export interface AlarmProperties {
  readonly AlarmName?: string;
  readonly AlarmDescription: string;
  readonly MetricName?: string;
  readonly Statistic?: string;
  readonly ExtendedStatistic?: string;
  readonly Threshold: number;
  readonly Period?: number;
  readonly EvaluationPeriods: number;
  readonly DatapointsToAlarm: number;
  readonly ComparisonOperator: string;
  readonly TreatMissingData: string;
  readonly ActionsEnabled?: boolean;
  readonly AlarmActions?: unknown[];
  readonly OKActions?: unknown[];
  readonly Metrics?: {
    readonly Id: string;
    readonly Expression?: string;
    readonly Period?: number;
    readonly MetricStat?: {
      readonly Period: number;
      readonly Stat: string;
      readonly Metric: { readonly Namespace: string; readonly MetricName: string };
    };
  }[];
}

/** The alarms of a stack by the names in their dedupe keys, 'orders:deadLetters'. */
export function alarmsOf(stack: Stack): Record<string, AlarmProperties> {
  const alarms = templateOf(stack).findResources('AWS::CloudWatch::Alarm');
  return Object.fromEntries(
    Object.values(alarms).map(({ Properties }) => {
      const [, key = ''] = /Dedupe: (.*)$/.exec(Properties.AlarmDescription) ?? [];
      return [key, Properties];
    }),
  );
}

type Props = Partial<EndpointMonitoringProps>;

/** 'Orders' with all that can be watched, and its monitoring. */
export function monitored(props: Props = {}, endpointProps: Partial<MessageEndpointProps> = {}) {
  const { stack, orders } = ordersEndpoint((scope) => {
    const capacity = TableCapacity.onDemand({ maxReadRequestUnits: 100, maxWriteRequestUnits: 50 });
    return {
      metricsNamespace: 'Shop',
      locking: 'pessimistic',
      function: inlineFunction(scope, 'Timed', Duration.seconds(30)),
      sagaTable: new SagaTable(scope, 'Sagas', { capacity }),
      outboxTable: new OutboxTable(scope, 'Outbox', { capacity, relayStream: true }),
      scheduler: new MessageScheduler(scope, 'Scheduler'),
      ...endpointProps,
    } as Partial<MessageEndpointProps>;
  });
  const relay = new OutboxRelay(stack, 'Relay', { endpoints: [orders] });
  const monitoring = new EndpointMonitoring(stack, 'Monitoring', {
    endpoint: orders,
    relay,
    ...props,
  });
  return { stack, orders, relay, monitoring };
}

/** An endpoint that has no more than it must. */
export function barelyMonitored(props: Props = {}, endpointProps: Partial<MessageEndpointProps> = {}) {
  const { stack, orders } = ordersEndpoint(endpointProps);
  const monitoring = new EndpointMonitoring(stack, 'Monitoring', { endpoint: orders, ...props });
  return { stack, orders, monitoring };
}

export interface Widget {
  readonly type: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly properties: {
    readonly title?: string;
    readonly markdown?: string;
    readonly region?: string;
    readonly alarms?: string[];
    readonly metrics?: unknown[][];
    readonly annotations?: { readonly horizontal: { readonly value: number; readonly label: string }[] };
  };
}

/** The widgets of a dashboard as CloudWatch gets them, each reference as `<LogicalId.Attribute>`. */
export function widgetsOf(stack: Stack, dashboard?: Dashboard): Widget[] {
  const found = templateOf(stack).findResources('AWS::CloudWatch::Dashboard');
  const id = dashboard && stack.getLogicalId(dashboard.node.defaultChild as never);
  const [properties] = Object.entries(found).filter(([each]) => id === undefined || each === id);
  const body = properties?.[1].Properties.DashboardBody;
  return JSON.parse(rendered(body)).widgets;
}

export function rendered(value: unknown): string {
  if (typeof value === 'string') return value;
  const [[name, argument] = ['', undefined]] = Object.entries(value as object);
  if (name === 'Fn::Join') {
    const [separator, parts] = argument as [string, unknown[]];
    return parts.map(rendered).join(separator);
  }
  return `<${[argument].flat().join('.')}>`;
}
