import type { AwsCalls } from '../engine/aws-calls.ts';
import { emptyStatement, type Statement } from './statement.ts';

interface PolicyDocument {
  readonly Statement: unknown[];
}

/** Takes statements out of deployed policies, and puts them back. */
export class DeployedPolicies {
  readonly #calls: AwsCalls;
  readonly #physicalNames: ReadonlyMap<string, string>;
  readonly #targets: ReadonlyMap<string, PolicyTarget>;

  constructor(
    calls: AwsCalls,
    physicalNames: ReadonlyMap<string, string>,
    targets: ReadonlyMap<string, PolicyTarget>,
  ) {
    this.#calls = calls;
    this.#physicalNames = physicalNames;
    this.#targets = targets;
  }

  /** The name of the role, or of the queue, that the statement's policy belongs to. */
  ownerOf({ stack, policy }: Statement): string {
    const { owner } = this.#target(stack, policy);
    const name = this.#physicalNames.get(`${stack}/${owner}`);
    if (name === undefined) throw new Error(`${stack} has no deployed ${owner}`);
    return name;
  }

  /** Takes statements of one policy out, and returns what gives them back. */
  async takeOut(statements: readonly Statement[]): Promise<() => Promise<void>> {
    const first = statements[0];
    if (first === undefined) return async () => {};
    const whole = await this.#read(first);
    const indexes = new Set(statements.map(({ index }) => index));
    const rest = whole.Statement.filter((_, index) => !indexes.has(index));
    await this.#write(first, { ...whole, Statement: rest.length === 0 ? [emptyStatement] : rest });
    return () => this.#write(first, whole);
  }

  async #read(statement: Statement): Promise<PolicyDocument> {
    const owner = this.ownerOf(statement);
    if (statement.kind === 'queue') {
      const { Attributes } = await this.#calls.call<{ Attributes: { Policy: string } }>(
        'sqs',
        'get_queue_attributes',
        { QueueUrl: owner, AttributeNames: ['Policy'] },
      );
      return JSON.parse(Attributes.Policy) as PolicyDocument;
    }
    const { PolicyDocument } = await this.#calls.call<{ PolicyDocument: PolicyDocument | string }>(
      'iam',
      'get_role_policy',
      { RoleName: owner, PolicyName: this.#target(statement.stack, statement.policy).policyName },
    );
    return typeof PolicyDocument === 'string'
      ? (JSON.parse(PolicyDocument) as PolicyDocument)
      : PolicyDocument;
  }

  async #write(statement: Statement, document: PolicyDocument): Promise<void> {
    const owner = this.ownerOf(statement);
    if (statement.kind === 'queue') {
      const Attributes = { Policy: JSON.stringify(document) };
      await this.#calls.call('sqs', 'set_queue_attributes', { QueueUrl: owner, Attributes });
      return;
    }
    const { policyName } = this.#target(statement.stack, statement.policy);
    await this.#calls.call('iam', 'put_role_policy', {
      RoleName: owner,
      PolicyName: policyName,
      PolicyDocument: JSON.stringify(document),
    });
  }

  #target(stack: string, policy: string): PolicyTarget {
    const target = this.#targets.get(`${stack}/${policy}`);
    if (target === undefined) throw new Error(`${stack} has no policy ${policy}`);
    return target;
  }
}

/** What a policy of a template is attached to, by logical id. */
export interface PolicyTarget {
  readonly owner: string;
  readonly policyName: string;
}
