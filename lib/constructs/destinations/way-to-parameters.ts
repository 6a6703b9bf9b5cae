import { Annotations, CfnResource, Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct, IConstruct } from 'constructs';
import { referenceTargets } from '../reference-targets.ts';
import { type RenderedProperties, renderedObject, renderedProperties } from '../rendered-properties.ts';

/** Properties of a route that leads to something else than a gateway. Source: "AWS::EC2::Route". */
const waysOut = [
  'CarrierGatewayId',
  'CoreNetworkArn',
  'InstanceId',
  'LocalGatewayId',
  'NatGatewayId',
  'NetworkInterfaceId',
  'TransitGatewayId',
  'VpcEndpointId',
  'VpcPeeringConnectionId',
];

/**
 * Warns at synth of a function that is to read parameters of Systems Manager, and stands in subnets of the app from which
 * no way leads there: it fails at each cold start. Subnets of an imported VPC tell nothing of their routes.
 */
export function warnOfVpcWithoutParameters(reporter: Construct, handler: IFunction): void {
  const resource = handler.node.defaultChild;
  if (resource === undefined || !CfnResource.isCfnResource(resource)) return;
  const { vpcConfig } = resource as unknown as { readonly vpcConfig?: unknown };
  const subnets = [...referenceTargets(resource, vpcConfig)].filter((each) => isOf('AWS::EC2::Subnet', each));
  const withoutWay = subnets.filter((subnet) => !hasWay(subnet));
  if (withoutWay.length === 0) return;
  const paths = withoutWay.map(({ node }) => `'${node.path.replace(/\/Subnet$/, '')}'`).join(', ');
  Annotations.of(reporter).addWarningV2(
    'sagabox:wayToParameters',
    `vpc: '${handler.node.path}' reads settings from Systems Manager, for which its environment has no room, and from ` +
      `${paths} no way leads there. Add an interface endpoint, as by addInterfaceEndpoint of the VPC with ` +
      'InterfaceVpcEndpointAwsService.SSM, or a NAT gateway, or acknowledge this.',
  );
}

function hasWay(subnet: IConstruct): boolean {
  const resources = Stack.of(subnet).node.findAll();
  const { VpcId } = renderedProperties(subnet) ?? {};
  const inTemplate = (type: string) =>
    resources.filter((each) => isOf(type, each)).map((each) => renderedProperties(each) ?? {});
  const isOfVpc = (endpoint: RenderedProperties) => isSame(endpoint.VpcId, VpcId);
  const endpoints = inTemplate('AWS::EC2::VPCEndpoint').filter(isOfVpc);
  if (endpoints.some(({ ServiceName }) => /\.ssm"/.test(JSON.stringify(ServiceName ?? '')))) return true;
  const id = Stack.of(subnet).resolve((subnet as CfnResource).ref);
  const tables = inTemplate('AWS::EC2::SubnetRouteTableAssociation')
    .filter(({ SubnetId }) => isSame(SubnetId, id))
    .map(({ RouteTableId }) => RouteTableId);
  return inTemplate('AWS::EC2::Route')
    .filter(({ RouteTableId }) => tables.some((table) => isSame(table, RouteTableId)))
    .some((route) => waysOut.some((way) => route[way] !== undefined) || isVpn(route.GatewayId, resources));
}

/** An internet gateway serves no function, which has no public address. */
function isVpn(gateway: unknown, resources: readonly IConstruct[]): boolean {
  if (typeof gateway === 'string') return gateway.startsWith('vgw-');
  const { Ref: id } = renderedObject(gateway);
  const gateways = resources.filter((each) => isOf('AWS::EC2::VPNGateway', each));
  return gateways.some((each) => Stack.of(each).resolve((each as CfnResource).logicalId) === id);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isOf(type: string, construct: IConstruct): construct is CfnResource {
  return CfnResource.isCfnResource(construct) && construct.cfnResourceType === type;
}
