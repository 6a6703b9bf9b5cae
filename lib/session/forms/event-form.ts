/** What a session takes of an event, by the form in which Lambda got it. */
export type EventForm = RequestForm | ServiceForm | OtherForm;

interface AnyForm {
  /** What the event asks for, as far as the event says so: another operation is another request. */
  readonly place: readonly string[];
  /** The same for people: `POST /orders`, or the detail type of an event. */
  readonly type: string;
}

/** A request of a client, over a service that hands it on: its key is that of its caller. */
export interface RequestForm extends AnyForm {
  readonly kind: 'request';
  /** What makes another request of it under the same key. */
  readonly content: unknown;
  /** Whom the service identified; undefined if it did not. */
  readonly principal: string | undefined;
  /** How the answer has its status; undefined for an answer without one. */
  readonly http: HttpAnswer | undefined;
}

export interface HttpAnswer {
  /** Whether headers of the answer are lists, as ALB wants them when it sends lists. */
  readonly answersInLists: boolean;
}

/** An event that a service of AWS makes: nobody outside chooses its form. */
export interface ServiceForm extends AnyForm {
  readonly kind: 'service';
  /** The same whenever the event is delivered; undefined for several events at once. */
  readonly id: EventId | undefined;
}

/** Any other event: whoever invoked the function chose all of it. */
export interface OtherForm extends AnyForm {
  readonly kind: 'other';
}

export type EventId = readonly (string | null)[];
