import { describe, expect, it } from '@jest/globals';
import { CfnParameter } from 'aws-cdk-lib';
import { type MessageEndpointProps, OutboxRelay, OutboxTable } from 'sagabox/constructs';
import { expectViolation, inlineEndpoint, ordersEndpoint, unbundledStack, variablesOf } from '../support.ts';

type Props = Pick<MessageEndpointProps, 'metricsNamespace' | 'metricsByMessageType'>;

function emittedBy(props: Props) {
  const { stack, orders } = ordersEndpoint(props);
  const { SAGABOX_METRICS_NAMESPACE: namespace, SAGABOX_METRICS_BY_MESSAGE_TYPE: byType } = variablesOf(
    stack,
    'Own',
  );
  return { namespace, byType, told: orders.metricsNamespace };
}

describe('the metrics that a function emits', () => {
  it.each<[Props, ReturnType<typeof emittedBy>]>([
    [{}, { namespace: undefined, byType: undefined, told: undefined }],
    [{ metricsNamespace: 'Shop' }, { namespace: 'Shop', byType: undefined, told: 'Shop' }],
    [
      { metricsNamespace: 'Shop', metricsByMessageType: true },
      { namespace: 'Shop', byType: 'true', told: 'Shop' },
    ],
  ])('are those that %j asks for', (props, expected) => {
    expect(emittedBy(props)).toEqual(expected);
  });

  it('may have a namespace that is known at deployment only', () => {
    const stack = unbundledStack();
    const { valueAsString: metricsNamespace } = new CfnParameter(stack, 'Namespace');
    inlineEndpoint(stack, 'Orders', { metricsNamespace });
    expect(variablesOf(stack, 'OrdersOwn').SAGABOX_METRICS_NAMESPACE).toEqual({ Ref: 'Namespace' });
  });

  it.each<[string | undefined, string | undefined, string | undefined]>([
    [undefined, undefined, undefined],
    ['Shop', undefined, 'Shop'],
    ['Shop', 'Relays', 'Relays'],
    [undefined, 'Relays', 'Relays'],
  ])(
    'by a relay have the namespace of an endpoint (%s), or its own (%s): %s',
    (ofEndpoint, own, expected) => {
      const { stack, orders } = ordersEndpoint((scope) => ({
        outboxTable: new OutboxTable(scope, 'Outbox'),
        ...(ofEndpoint !== undefined && { metricsNamespace: ofEndpoint }),
      }));
      new OutboxRelay(stack, 'Relay', {
        endpoints: [orders],
        ...(own !== undefined && { metricsNamespace: own }),
      });
      expect(variablesOf(stack, 'RelayFunction').SAGABOX_METRICS_NAMESPACE).toBe(expected);
    },
  );

  it.each([
    ['Relays', 'no problem'],
    ['AWS/Relays', "metricsNamespace: 'AWS/Relays' is among the names of AWS's own metrics"],
  ])('by a relay in the namespace %s at synth: %s', (metricsNamespace, report) => {
    const violation = report === 'no problem' ? '' : report;
    const { stack, orders } = ordersEndpoint((scope) => ({ outboxTable: new OutboxTable(scope, 'Outbox') }));
    new OutboxRelay(stack, 'Relay', { endpoints: [orders], metricsNamespace });
    expectViolation(stack, violation);
  });

  it.each<[Props, string]>([
    [{ metricsNamespace: 'a'.repeat(255) }, 'no problem'],
    [{ metricsNamespace: 'a'.repeat(256) }, 'metricsNamespace: it has 256 characters'],
    [{ metricsNamespace: '' }, 'metricsNamespace: it has 0 characters'],
    [
      { metricsNamespace: 'AWS/Shop' },
      "metricsNamespace: 'AWS/Shop' is among the names of AWS's own metrics",
    ],
    [{ metricsNamespace: 'my shop' }, "metricsNamespace: 'my shop' has characters that CloudWatch"],
    [{ metricsByMessageType: true }, 'metricsByMessageType: it is true, and without metricsNamespace'],
  ])('with %j at synth: %s', (props, report) => {
    const violation = report === 'no problem' ? '' : report;
    expectViolation(ordersEndpoint(props).stack, violation);
  });
});
