import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createHttpClient } from './create-client.ts';

/** A key and a certificate of its own signing for `a.example`, made afresh. */
function makeCertificate(): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'notify-tls-'));
  try {
    const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'].concat(
        ['-subj', '/CN=a.example', '-addext', 'subjectAltName=DNS:a.example', '-keyout', key, '-out', cert],
      ),
      { stdio: 'ignore' },
    );
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('TLS is told and checked by the name, though the connection goes to the vetted address', async () => {
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
    ({ method: 'GET', url: `https://${name}:${port}/`, deadlineMs: 5_000 }) as const;
  try {
    expect(await trusting.request(get('a.example'))).toMatchObject({ ok: true, status: 200 });
    expect(await trusting.request(get('b.example'))).toMatchObject({
      ok: false,
      error: 'tls',
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
