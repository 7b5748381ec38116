import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { freePlace } from '../admission/admission.ts';
import { createBodyReader } from './read-body.ts';

const bytes = 300_000;

/** A callback with a long body that has not arrived. */
function slow(): PassThrough & IncomingMessage {
  return Object.assign(new PassThrough(), {
    headers: { 'content-length': String(bytes) },
    complete: false,
  }) as unknown as PassThrough & IncomingMessage;
}

test('a network with very many long bodies, and fifty of them, leave room for another', async () => {
  const read = createBodyReader();
  const refused: string[] = [];
  const begun: (PassThrough & IncomingMessage)[] = [];
  const begin = (party: string): void => {
    const request = slow();
    begun.push(request);
    read(request, freePlace, party).catch((error: { code: string }) => refused.push(error.code));
  };
  for (let body = 0; body < 9; body += 1) begin('storm');
  await new Promise(setImmediate);
  expect(refused).toEqual(['rate-limited']);
  for (let body = 0; body < 8; body += 1)
    for (let network = 0; network < 50; network += 1) begin(`storm ${network}`);
  const provider = slow();
  const whole = read(provider, freePlace, 'provider');
  provider.end(Buffer.alloc(bytes, 'x'));
  expect((await whole).length).toBe(bytes);
  // The one that gave way is refused with its next bytes.
  refused.length = 0;
  for (const request of begun) request.write('x'.repeat(20_000));
  await new Promise(setImmediate);
  expect(refused.filter((code) => code === 'unavailable').length).toBeGreaterThan(0);
  for (const request of begun) request.destroy();
});
