import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Template } from '@notify/core';
import { startWhatsappCloudPeer } from '@notify/testkit';
import type { SendContext } from '../src/adapter/channel.ts';
import type { WhatsappCloudSettings } from '../src/whatsapp-cloud/settings.ts';
import { whatsappCloud } from '../src/whatsapp-cloud/whatsapp-cloud.ts';
import { sendRequest } from './conformance/conformance.ts';
import { http, send, settingsOf } from './whatsapp-cloud-account.ts';

/* The peer is what others are held to: here it is held to what it promises them. */

const header = (parameter: object) => ({ type: 'header', parameters: [parameter] });
const templateWith = (component: object) => ({
  type: 'template',
  text: undefined,
  template: { name: 'hello_world', language: { code: 'en_US' }, components: [component] },
});

test.each<[string, object]>([
  ['no messaging product', { messaging_product: undefined }],
  ['two contents', { image: { id: '1' } }],
  ['a content of another type', { type: 'image' }],
  ['an unknown field', { hello: 1 }],
  ['4097 characters', { text: { body: 'x'.repeat(4097) } }],
  ['a caption on audio', { type: 'audio', text: undefined, audio: { id: '1', caption: 'c' } }],
  ...(
    [
      ['an empty component', { type: 'body', parameters: [] }],
      ['an unknown component', { type: 'carousel', parameters: [{ type: 'text', text: 'x' }] }],
      [
        'a button without an index',
        { type: 'button', sub_type: 'url', parameters: [{ type: 'text', text: 'x' }] },
      ],
      [
        'two parameters of a header',
        { type: 'header', parameters: Array(2).fill({ type: 'text', text: 'x' }) },
      ],
      ['coordinates as numbers', header({ type: 'location', location: { latitude: 1, longitude: 2 } })],
      ['a file that is no address', header({ type: 'image', image: { link: 'a.png' } })],
      ['a name on an image', header({ type: 'image', image: { link: 'https://a.example/', filename: 'a' } })],
      [
        'two contents in a parameter',
        header({ type: 'text', text: 'x', image: { link: 'https://a.example/' } }),
      ],
    ] as const
  ).map(([name, component]): [string, object] => [`a template with ${name}`, templateWith(component)]),
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

async function templatesOf(terms: SendContext<WhatsappCloudSettings>): Promise<readonly Template[]> {
  const result = await whatsappCloud.listTemplates!(terms);
  return result.kind === 'listed' ? result.templates : [];
}

test('the peer runs as its own process, told and asked over its control port', async () => {
  const main = fileURLToPath(import.meta.resolve('@notify/testkit/peers/whatsapp-cloud'));
  const child = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const told = JSON.parse(line) as { url: string; settings: WhatsappCloudSettings; controlUrl: string };
    const body = JSON.stringify({ answer: { error: 131016 }, times: 1 });
    const { signal } = new AbortController();
    const terms = { settings: told.settings, http, baseUrl: told.url, signal };
    const paused = JSON.stringify({ name: 'hello_world', status: 'PAUSED' });
    await fetch(`${told.controlUrl}/template`, { method: 'POST', body: paused });
    const [first] = await templatesOf(terms);
    expect(first).toMatchObject({ name: 'hello_world', status: 'paused' });
    await fetch(`${told.controlUrl}/behave`, { method: 'POST', body });
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
