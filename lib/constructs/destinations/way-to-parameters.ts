import { Annotations, CfnResource } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct, IConstruct } from 'constructs';
import { referenceTargets } from '../reference-targets.ts';
import { renderedProperties } from '../rendered-properties.ts';

/**
 * Warns of a function that is to read parameters of Systems Manager, and stands in subnets of the app from which no way
 * leads there: it fails at each cold start. Subnets of an imported VPC tell nothing of their routes.
 */
export function warnOfVpcWithoutParameters(reporter: Construct, handler: IFunction): void {
  const resource = handler.node.defaultChild;
  if (resource === undefined || !CfnResource.isCfnResource(resource)) return;
  const { vpcConfig } = resource as unknown as { readonly vpcConfig?: unknown };
  const subnets = [...referenceTargets(resource, vpcConfig)].filter((each) => isOf('AWS::EC2::Subnet', each));
  const resources = handler.node.root.node.findAll();
  if (subnets.length === 0 || resources.some((each) => isEndpointOfParameters(each))) return;
  const withoutWay = subnets.filter((subnet) => !resources.some((each) => leadsOut(each, subnet)));
  if (withoutWay.length === 0) return;
  const paths = withoutWay.map(({ node }) => `'${(node.scope ?? { node }).node.path}'`).join(', ');
  Annotations.of(reporter).addWarningV2(
    'sagabox:wayToParameters',
    `vpc: '${handler.node.path}' reads settings from Systems Manager, for which its environment has no room, and from ` +
      `${paths} no way leads there. Add an interface endpoint, as by addInterfaceEndpoint of the VPC with ` +
      'InterfaceVpcEndpointAwsService.SSM, or a NAT gateway, or acknowledge this.',
  );
}

function isEndpointOfParameters(construct: IConstruct): boolean {
  if (!isOf('AWS::EC2::VPCEndpoint', construct)) return false;
  return /\.ssm\b(?!\w)/.test(JSON.stringify(renderedProperties(construct)?.ServiceName ?? ''));
}

/** Whether a default route of a subnet leads to something else than an internet gateway, which serves no function. */
function leadsOut(construct: IConstruct, subnet: IConstruct): boolean {
  if (!isOf('AWS::EC2::Route', construct)) return false;
  const isOfSubnet = subnet.node.scope !== undefined && construct.node.scopes.includes(subnet.node.scope);
  const { GatewayId, DestinationCidrBlock } = renderedProperties(construct) ?? {};
  return isOfSubnet && GatewayId === undefined && DestinationCidrBlock === '0.0.0.0/0';
}

function isOf(type: string, construct: IConstruct): construct is CfnResource {
  return CfnResource.isCfnResource(construct) && construct.cfnResourceType === type;
}
