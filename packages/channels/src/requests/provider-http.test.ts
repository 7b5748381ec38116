import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { adapters } from '../registry.ts';
import { openProviderHttp } from './provider-http.ts';

test('only its own provider may call a private address that the operator set', async () => {
  const server = createServer((_, response) => response.end('ok'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rules = { allowPrivate: false, allow: [], userAgent: 'test' };
  const http = openProviderHttp(rules, [{ provider: 'telegram-bot', url }]);
  const ask = (provider: string) =>
    http.of(adapters.get(provider)!).request({ method: 'GET', url, deadlineMs: 60_000 });
  expect(await ask('telegram-bot')).toMatchObject({ ok: true, status: 200 });
  expect(await ask('http-sms')).toMatchObject({ ok: false, error: 'blocked' });
  await http.close();
  server.close();
});
