import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificate } from '@notify/testkit';
import { createHttpClient } from '../exchange/create-client.ts';

test('TLS sends and checks the name, while the connection goes to the vetted address', async () => {
  const { key, cert } = makeCertificate();
  const names: unknown[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    names.push((request.socket as { servername?: unknown }).servername);
    response.end('hello');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const options = {
    allowPrivate: true,
    allow: [],
    userAgent: 'Test/1',
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  };
  const trusting = createHttpClient({ ...options, ca: cert });
  const doubting = createHttpClient(options);
  const get = (name: string) =>
    ({ method: 'GET', url: `https://${name}:${port}/`, deadlineMs: 60_000 }) as const;
  try {
    expect(await trusting.request(get('a.example'))).toMatchObject({ ok: true, status: 200 });
    expect(await trusting.request(get('b.example'))).toMatchObject({
      ok: false,
      error: 'tls',
      text: 'the certificate is for another name',
      written: false,
    });
    expect(await doubting.request(get('a.example'))).toMatchObject({
      ok: false,
      error: 'tls',
      written: false,
    });
    expect(names).toEqual(['a.example']);
  } finally {
    await Promise.all([trusting.close(), doubting.close()]);
    server.close();
  }
});
