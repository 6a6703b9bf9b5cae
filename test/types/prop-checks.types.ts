import { checkedProps, type PropChecks, withProps } from '../../lib/constructs/checks/prop-checks.ts';
import { PropProblems } from '../../lib/constructs/violations.ts';
import { aNumber, aString } from '../../lib/kernel/checks/checks.ts';

interface Sized {
  readonly name: string;
  readonly size?: number;
}
type Either = Sized | { readonly name: string; readonly length?: number };

const sized: PropChecks<Sized> = { name: aString, size: aNumber };
// @ts-expect-error a prop is missed
const less: PropChecks<Sized> = { name: aString };
// @ts-expect-error there is no such prop
const more: PropChecks<Sized> = { name: aString, size: aNumber, length: aNumber };

const either: PropChecks<Either> = { name: aString, size: aNumber, length: aNumber };
// @ts-expect-error a prop of one member of the union is missed
const one: PropChecks<Either> = { name: aString, size: aNumber };

withProps<Sized>(sized, { needs: ['name'] });
// @ts-expect-error there is no such prop
withProps<Sized>(sized, { needs: ['names'] });

/** A prop may have been left out, also one that is required. */
export const name: string | undefined = checkedProps({ name: 'a' }, sized, new PropProblems()).name;
// @ts-expect-error it may have been left out
export const certain: string = checkedProps({ name: 'a' }, sized, new PropProblems()).name;
export const tables = [less, more, either, one];
