import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';

type GrantAccess = (grantee: IGrantable) => Grant;

/**
 * All that dispatching needs, for all who dispatch for an endpoint: what is added later reaches each of them
 * too.
 */
export class DispatchAccess {
  readonly #grants = new Map<IGrantable, Grant>();
  readonly #accesses: GrantAccess[] = [];

  add(access: GrantAccess): void {
    this.#accesses.push(access);
    for (const [grantee, grant] of this.#grants) this.#grants.set(grantee, grant.combine(access(grantee)));
  }

  grant(grantee: IGrantable): Grant {
    const none = Grant.drop(grantee, 'dispatch');
    const granted =
      this.#grants.get(grantee) ??
      this.#accesses.reduce((grant, access) => grant.combine(access(grantee)), none);
    this.#grants.set(grantee, granted);
    return granted;
  }
}
