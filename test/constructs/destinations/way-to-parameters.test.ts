import { describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import {
  CfnRoute,
  GatewayVpcEndpointAwsService,
  InterfaceVpcEndpointAwsService,
  type ISubnet,
  SubnetType,
  Vpc,
  type VpcProps,
} from 'aws-cdk-lib/aws-ec2';
import { Code, Function as LambdaFunction, RecursiveLoop, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { MessageEndpoint } from 'sagabox/constructs';

const isolated: VpcProps = {
  maxAzs: 1,
  natGateways: 0,
  subnetConfiguration: [{ name: 'Own', subnetType: SubnetType.PRIVATE_ISOLATED, cidrMask: 24 }],
};

/** How often it is warned of an endpoint that sends to so many queues from a VPC. */
function warnings(
  props: VpcProps,
  destinations: number,
  change: (vpc: Vpc) => void = () => undefined,
): number {
  const stack = new Stack(new App(), 'Shop');
  const vpc = new Vpc(stack, 'Vpc', props);
  change(vpc);
  const handler = new LambdaFunction(stack, 'Own', {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline('export const handler = () => {};'),
    recursiveLoop: RecursiveLoop.ALLOW,
    vpc: vpc as never,
    ...(props.subnetConfiguration ? { vpcSubnets: { subnetType: SubnetType.PRIVATE_ISOLATED } } : {}),
  });
  const orders = new MessageEndpoint(stack, 'Orders', { function: handler });
  const queue = new Queue(stack, 'Audit');
  for (let index = 0; index < destinations; index++) orders.sendsTo({ name: `destination-${index}`, queue });
  const found = Annotations.fromStack(stack).findWarning(
    '*',
    Match.stringLikeRegexp(
      "^vpc: 'Shop/Own' reads settings from Systems Manager, .* from 'Shop/Vpc/OwnSubnet1' no way",
    ),
  );
  return found.length;
}

describe('a function in a VPC', () => {
  it('is warned of if no way leads to the settings that have no room in its environment', () => {
    expect(warnings(isolated, 100)).toBe(1);
  });

  it('is not warned of while its environment has room', () => {
    expect(warnings(isolated, 1)).toBe(0);
  });

  it('reads them through an endpoint of Systems Manager, and no other', () => {
    const through = (service: InterfaceVpcEndpointAwsService) => (vpc: Vpc) =>
      void vpc.addInterfaceEndpoint('Endpoint', { service });
    expect(warnings(isolated, 100, through(InterfaceVpcEndpointAwsService.SSM))).toBe(0);
    expect(warnings(isolated, 100, through(InterfaceVpcEndpointAwsService.SSM_MESSAGES))).toBe(1);
    expect(warnings(isolated, 100, through(InterfaceVpcEndpointAwsService.SSM_CONTACTS))).toBe(1);
    const gateway = (vpc: Vpc) =>
      void vpc.addGatewayEndpoint('Endpoint', { service: GatewayVpcEndpointAwsService.DYNAMODB });
    expect(warnings(isolated, 100, gateway)).toBe(1);
  });

  it.each<[string, object, number]>([
    ['a transit gateway', { destinationCidrBlock: '10.0.0.0/8', transitGatewayId: 'tgw-1' }, 0],
    ['a VPN', { destinationCidrBlock: '0.0.0.0/0', gatewayId: 'vgw-1' }, 0],
    [
      'an internet gateway, which serves no function',
      { destinationCidrBlock: '0.0.0.0/0', gatewayId: 'igw-1' },
      1,
    ],
  ])('reads them through %s', (_way, route, count) => {
    const change = (vpc: Vpc) => {
      const { routeTable } = vpc.isolatedSubnets[0] as ISubnet;
      new CfnRoute(vpc.stack, 'Route', { routeTableId: routeTable.routeTableId, ...route });
    };
    expect(warnings(isolated, 100, change)).toBe(count);
  });

  it('reads them through a NAT gateway', () => {
    expect(warnings({ maxAzs: 1, natGateways: 1 }, 100)).toBe(0);
  });
});
