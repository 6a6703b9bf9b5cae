import type { IConstruct } from 'constructs';

/**
 * The constructs of a kind, by app: for those that look for the others of their kind. A walk through the
 * whole app for each of them would make the time of a synth grow with its square.
 */
export class AppRegistry<C extends IConstruct> {
  readonly #byRoot = new WeakMap<IConstruct, C[]>();

  add(construct: C): void {
    const { root } = construct.node;
    const known = this.#byRoot.get(root);
    if (known === undefined) this.#byRoot.set(root, [construct]);
    else known.push(construct);
  }

  /** All of the app that the construct belongs to. */
  ofAppOf(construct: IConstruct): readonly C[] {
    return this.#byRoot.get(construct.node.root) ?? [];
  }
}
