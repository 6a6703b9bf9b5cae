import type { BookingOutcome } from './load.ts';
import type { SentMessage } from './sent-messages.ts';

const services = ['Flight', 'Hotel', 'Car'] as const;

/** What did not hold of the trips of a run. */
export function complaintsOf({ trips, ...outcome }: BookingOutcome): string[] {
  const { settled, sagasLeft, deadLettered, noticesLeft } = outcome;
  const ofTrips = trips.flatMap(({ tripId }) =>
    tripComplaints(tripId, outcome).map((complaint) => `${tripId} ${complaint}`),
  );
  const ofRun = [
    !settled && 'nothing moved any more, before all had ended',
    sagasLeft > 0 && `${sagasLeft} trips have not ended`,
    noticesLeft > 0 && `${noticesLeft} notices are in the error queue`,
    deadLettered > 0 && `${deadLettered} messages are in a dead letter queue`,
  ].filter((complaint) => complaint !== false);
  return [...ofTrips, ...ofRun];
}

function tripComplaints(
  tripId: string,
  { ends, reservations, sent, redriven }: Pick<BookingOutcome, 'ends' | 'reservations' | 'sent' | 'redriven'>,
): string[] {
  const own = ends.filter((end) => end.tripId === tripId);
  const booked = reservations.filter((one) => one.tripId === tripId && one.status === 'booked');
  const expected = own[0]?.isBooked ? services.length : 0;
  const messages = sent.filter(({ body }) => body.tripId === tripId);
  const cancels = messages.filter(({ type }) => type.startsWith('Cancel')).map(({ type }) => type);
  const movedBack = sent.filter(({ id }) => redriven.includes(id));
  const order = [...new Set(cancels)];
  const inReverse = ['CancelCar', 'CancelHotel', 'CancelFlight'].filter((type) => order.includes(type));
  return [
    own.length !== 1 && `ended ${own.length} times`,
    booked.length !== expected && `has ${booked.length} reservations in place of ${expected}`,
    order.join() !== inReverse.join() && `took back ${order.join(', ')}`,
    ...services.flatMap((service) =>
      serviceComplaints(service, messages, noticesOf(tripId, service, movedBack)),
    ),
  ].filter((complaint) => typeof complaint === 'string');
}

/** A cancellation is repeated only when an operator moves the notice of the one before back. */
function serviceComplaints(service: string, messages: readonly SentMessage[], notices: number): string[] {
  const count = (type: string) => messages.filter((message) => message.type === type).length;
  const [books, cancels] = [count(`Book${service}`), count(`Cancel${service}`)];
  return [
    books > 1 && `sent Book${service} ${books} times`,
    cancels > 1 + notices &&
      `sent Cancel${service} ${cancels} times after ${notices} notices that were moved back`,
    cancels > 0 && books === 0 && `sent Cancel${service} without Book${service}`,
  ].filter((complaint) => complaint !== false);
}

function noticesOf(tripId: string, service: string, sent: readonly SentMessage[]): number {
  const isOwn = ({ type, body: { process, step } }: SentMessage) =>
    type === 'TripSagaCompensationFailed' && process === tripId && step === service.toLowerCase();
  return sent.filter(isOwn).length;
}
