/** One statement of a role's policy, or of a queue's that lets a topic or a rule send to it. */
export interface Statement {
  /** `<path of the role or the queue>#<its number there>:<first action>`. */
  readonly name: string;
  readonly stack: string;
  readonly kind: 'role' | 'queue';
  /** Logical id of the policy in the template. */
  readonly policy: string;
  readonly index: number;
  readonly actions: readonly string[];
  readonly resources: string;
}

interface Resource {
  readonly Type: string;
  readonly Properties?: {
    readonly Roles?: readonly { readonly Ref?: string }[];
    readonly Queues?: readonly { readonly Ref?: string }[];
    readonly PolicyName?: string;
    readonly PolicyDocument?: { readonly Statement: TemplateStatement[] };
  };
  readonly Metadata?: { readonly 'aws:cdk:path'?: string };
}

interface TemplateStatement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource?: unknown;
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
}

/** The Allow statements of a template, without those of CDK's own functions. */
export function statementsOf(stack: string, template: Template): Statement[] {
  const numbers = new Map<string, number>();
  return Object.entries(template.Resources).flatMap(([policy, resource]) => {
    const owner = ownerOf(stack, policy, resource, template);
    if (owner === undefined) return [];
    const statements = resource.Properties?.PolicyDocument?.Statement ?? [];
    return statements.flatMap((statement, index) => {
      if (statement.Effect !== 'Allow') return [];
      const actions = [statement.Action].flat();
      const number = (numbers.get(owner.path) ?? 0) + 1;
      numbers.set(owner.path, number);
      const name = `${owner.path}#${number}:${actions[0]}`;
      const resources = JSON.stringify(statement.Resource);
      return [{ name, stack, kind: owner.kind, policy, index, actions, resources }];
    });
  });
}

/** A policy has to have a statement; this one allows nothing. */
export const emptyStatement = {
  Effect: 'Deny',
  Action: 'sts:DecodeAuthorizationMessage',
  Resource: '*',
} as const;

export function withoutStatement<T extends Template>(template: T, { policy, index }: Statement): T {
  const copy = structuredClone(template);
  const { Statement = [] } = copy.Resources[policy]?.Properties?.PolicyDocument ?? {};
  Statement.splice(index, 1, ...(Statement.length === 1 ? [emptyStatement] : []));
  return copy;
}

function ownerOf(
  stack: string,
  policy: string,
  { Type, Properties, Metadata }: Resource,
  { Resources }: Template,
): { path: string; kind: 'role' | 'queue' } | undefined {
  if (Type === 'AWS::SQS::QueuePolicy') return { path: pathOf(stack, policy, Metadata), kind: 'queue' };
  if (Type !== 'AWS::IAM::Policy') return undefined;
  const role = Properties?.Roles?.[0]?.Ref ?? policy;
  return { path: pathOf(stack, role, Resources[role]?.Metadata), kind: 'role' };
}

function pathOf(stack: string, logicalId: string, metadata: Resource['Metadata']): string {
  return metadata?.['aws:cdk:path']?.replace(/\/Resource$/, '') ?? `${stack}/${logicalId}`;
}
