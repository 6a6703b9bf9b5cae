import type { IGrantable } from 'aws-cdk-lib/aws-iam';

type GiveAccess = (grantee: IGrantable) => void;

/** All that dispatching needs, for all who dispatch for an endpoint: what is added later reaches each of them too. */
export class DispatchAccess {
  readonly #grantees: IGrantable[] = [];
  readonly #accesses: GiveAccess[] = [];

  add(access: GiveAccess): void {
    this.#accesses.push(access);
    for (const grantee of this.#grantees) access(grantee);
  }

  giveTo(grantee: IGrantable): void {
    if (this.#grantees.includes(grantee)) return;
    this.#grantees.push(grantee);
    for (const access of this.#accesses) access(grantee);
  }
}
