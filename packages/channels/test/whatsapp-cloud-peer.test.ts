import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startWhatsappCloudPeer } from '@notify/testkit';
import { sendRequest } from '../src/conformance.ts';
import type { WhatsappCloudSettings } from '../src/whatsapp-cloud/settings.ts';
import { whatsappCloud } from '../src/whatsapp-cloud/whatsapp-cloud.ts';
import { http, send, settingsOf } from './whatsapp-cloud-account.ts';

/* The peer is what others are held to: here it is held to what it promises them. */

afterAll(() => http.close());

test.each<[string, object]>([
  ['no messaging product', { messaging_product: undefined }],
  ['two contents', { image: { id: '1' } }],
  ['a content of another type', { type: 'image' }],
  ['an unknown field', { hello: 1 }],
  ['4097 characters', { text: { body: 'x'.repeat(4097) } }],
  ['a caption on audio', { type: 'audio', text: undefined, audio: { id: '1', caption: 'c' } }],
])('the peer refuses %s', async (_, change) => {
  await using peer = await startWhatsappCloudPeer();
  await send(peer);
  const { phoneNumberId, accessToken } = settingsOf(peer);
  const answered = await fetch(`${peer.url}/v25.0/${phoneNumberId}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ ...peer.ledger()[0]?.message, ...change }),
  });
  expect([answered.status, await answered.json()]).toMatchObject([400, { error: { code: 100 } }]);
});

test('the peer runs as a process of its own, told and asked over its control port', async () => {
  const main = fileURLToPath(import.meta.resolve('../../testkit/src/whatsapp-cloud-peer-main.ts'));
  const child = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const told = JSON.parse(line) as { url: string; settings: WhatsappCloudSettings; controlUrl: string };
    const body = JSON.stringify({ answer: { error: 131016 }, times: 1 });
    await fetch(`${told.controlUrl}/behave`, { method: 'POST', body });
    const { signal } = new AbortController();
    const terms = { settings: told.settings, http, baseUrl: told.url, signal };
    const kinds = [
      (await whatsappCloud.send(sendRequest(), terms)).kind,
      (await whatsappCloud.send(sendRequest(), terms)).kind,
      (await whatsappCloud.send(sendRequest({ to: '+49151131026' }), terms)).kind,
    ];
    expect(kinds).toEqual(['retry', 'accepted', 'rejected']);
    expect(await (await fetch(`${told.controlUrl}/ledger`)).json()).toMatchObject([{ asked: 3 }]);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});
