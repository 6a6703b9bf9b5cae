/**
 * What is checked: the invariants of the design, and what must hold besides. `lease`: only its owner gives a
 * lease back or prolongs it, and others take it over only when it has expired. `model`: commits do what the
 * sequential model does with the same messages in the same order. `kept`: no message is lost. `order`: messages
 * of one group take effect in their order, and what is committed together is sent in it. `rest`: everything
 * comes to rest once the faults stop.
 */
export type Invariant =
  | 'I1'
  | 'I2'
  | 'I3'
  | 'I4'
  | 'I5'
  | 'I6'
  | 'I7'
  | 'lease'
  | 'model'
  | 'kept'
  | 'order'
  | 'rest';

export type Violate = (invariant: Invariant, text: string) => void;

export class Violation extends Error {
  readonly invariant: Invariant;

  constructor(invariant: Invariant, text: string) {
    super(`${invariant}: ${text}`);
    this.invariant = invariant;
  }
}
