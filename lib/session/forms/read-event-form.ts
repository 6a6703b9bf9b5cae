import { SagaboxError } from '../../kernel/errors/errors.ts';
import { isJsonObject } from '../../kernel/values/value-kind.ts';
import { appSyncForm } from './app-sync.ts';
import type { EventForm } from './event-form.ts';
import { httpForm } from './http.ts';
import { serviceForm } from './service-event.ts';
import { unknownHttpPath } from './unknown-http.ts';
import { webSocketForm } from './web-socket.ts';

/**
 * The form of an event.
 *
 * @throws SagaboxError `UnknownHttpEvent` for what looks like an HTTP request in a form that tells no method and path
 */
export function eventFormOf(event: unknown): EventForm {
  const object = isJsonObject(event) ? event : {};
  const form = appSyncForm(event) ?? webSocketForm(object) ?? httpForm(object) ?? serviceForm(event);
  if (form) return form;
  const path = unknownHttpPath(event);
  if (path !== undefined) throw new SagaboxError('UnknownHttpEvent', { path });
  return { kind: 'other', place: [ANY_EVENT], type: ANY_EVENT };
}

const ANY_EVENT = 'Event';
