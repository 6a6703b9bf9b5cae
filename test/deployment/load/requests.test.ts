import { describe, expect, it } from '@jest/globals';
import { type HttpAnswer, type PlaceByHttp, Requests } from './requests.ts';

const right: HttpAnswer = { status: 201, headers: { location: '/1' }, body: '{"orderId":"1"}' };

/** The complaints about a service that answers the first requests so, and all others right. */
async function placeWith(...first: readonly Partial<HttpAnswer>[]): Promise<Requests> {
  const answers = [...first];
  const place: PlaceByHttp = async () => ({ ...right, ...answers.shift() });
  const requests = new Requests({ api: place, url: place });
  await requests.place(['1'], {});
  return requests;
}

describe('the requests that place an order', () => {
  it('are content with one answer to all of them', async () => {
    expect(await placeWith()).toMatchObject({ answered: 4, failed: 0, tooEarly: 0, complaints: [] });
  });

  it.each<[string, Partial<HttpAnswer>]>([
    ['header', { headers: { location: '/2' } }],
    ['body', { body: '{"orderId":"1","again":true}' }],
  ])('find an answer with another %s', async (_part, other) => {
    const { complaints } = await placeWith({}, other);
    expect(complaints).toEqual(['2 answers to the requests of 1']);
  });

  it('find the answer of another order', async () => {
    const ofAnother = { body: '{"orderId":"2"}' };
    const { complaints } = await placeWith(ofAnother, ofAnother, ofAnother, ofAnother);
    expect(complaints).toEqual(['a wrong answer to a request of 1: {"orderId":"2"}']);
  });

  it('find another status', async () => {
    const { complaints } = await placeWith({ status: 200 });
    expect(complaints).toEqual(['a request of 1 ended with 200: {"orderId":"1"}']);
  });

  it('are repeated when the server failed, and when another one is at work', async () => {
    expect(await placeWith({ status: 502 }, { status: 409 })).toMatchObject({
      answered: 4,
      failed: 1,
      tooEarly: 1,
      complaints: [],
    });
  });

  it('are exclusive or not, at each function and under each key, and both at once', async () => {
    const sent: string[] = [];
    const placing =
      (way: string): PlaceByHttp =>
      async ({ orderId, exclusive }) => {
        sent.push(`${orderId} ${way} ${exclusive}`);
        return { ...right, body: JSON.stringify({ orderId }) };
      };
    const requests = new Requests({ api: placing('api'), url: placing('url') });
    await requests.place(['1'], {});
    await requests.place(['2'], {});
    expect(sent).toEqual([
      ...['1 api false', '1 url true', '1 api true', '1 url false'],
      ...['2 api true', '2 url true', '2 api false', '2 url false'],
    ]);
  });
});
