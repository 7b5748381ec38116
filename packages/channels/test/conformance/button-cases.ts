import assert from 'node:assert/strict';
import type { InteractiveContent } from '@notify/core';
import { watchedClient } from './http-cases.ts';
import { inboundOf } from './inbound-cases.ts';
import { answering, startPeer } from './scripted-peer.ts';
import { type ConformanceCase, sendRequest, type Subject } from './subject.ts';

/** 64 bytes of UTF-8, the most that any provider takes. */
const longestId = `ä${'x'.repeat(62)}`;

const buttons: InteractiveContent = {
  text: 'Shall we come <b>tomorrow</b>?',
  header: 'Delivery',
  footer: 'Thank you',
  buttons: [
    { id: longestId, title: 'Yes' },
    { id: 'no', title: 'No' },
  ],
};

const list: InteractiveContent = {
  text: 'Choose a day',
  list: {
    button: 'Days',
    sections: [
      { title: 'This week', rows: [{ id: longestId, title: 'Monday', description: '9 to 12' }] },
      { title: 'Next week', rows: [{ id: 'tue', title: 'Tuesday' }] },
    ],
  },
};

const link: InteractiveContent = {
  text: 'Your order',
  buttons: [{ url: 'https://example.com/order?a=1&b=%202', title: 'Open' }],
};

/** The cases of buttons and lists, for adapters that call out to send them. */
export function buttonCases(subject: Subject): readonly ConformanceCase[] {
  const { adapter, http, press } = subject;
  if ((adapter.capabilities.interactiveOn ?? []).length === 0 || http === undefined) return [];
  if (press === undefined) throw new Error('the callback of a press is needed to try buttons');
  return [
    {
      name: 'button round trip: a press names the button and the message',
      async run() {
        for (const content of [buttons, list]) {
          const { externalId, request } = await send(subject, content);
          assert.ok(request.includes(longestId), 'the id is not in the request');
          assert.ok(externalId !== null);
          const [pressed] = inboundOf(subject, press(longestId, externalId));
          assert.equal(pressed?.type, 'button');
          assert.equal('payload' in pressed.body && pressed.body.payload, longestId);
          assert.equal(pressed.replyTo, externalId);
        }
      },
    },
    {
      name: 'buttons: everything that the sender wrote is sent, as it was written',
      async run() {
        for (const content of [buttons, list, link]) {
          const { request } = await send(subject, content);
          for (const text of textsIn(content)) assert.ok(request.includes(text), `${text} is missing`);
        }
      },
    },
  ];
}

/** What the person is to see. Telegram shows a list without the button that opens it elsewhere. */
function textsIn({ text, header, footer, buttons: given = [], list: choices }: InteractiveContent): string[] {
  const ofButtons = given.flatMap((button) => [button.title, 'url' in button ? button.url : button.id]);
  const ofList = (choices?.sections ?? []).flatMap(({ title, rows }) => [
    title,
    ...rows.flatMap((row) => [row.id, row.title, row.description]),
  ]);
  return [text, header, footer, ...ofButtons, ...ofList].filter((one) => one !== undefined);
}

async function send(
  { adapter, settings, http: answers }: Subject,
  interactive: InteractiveContent,
): Promise<{ readonly externalId: string | null; readonly request: string }> {
  await using peer = await startPeer(answering(answers!.taken));
  const { signal } = new AbortController();
  await using http = watchedClient(adapter, { signal });
  const baseUrl = `http://${peer.host}`;
  const request = sendRequest({ type: 'interactive', body: { interactive } });
  const outcome = await adapter.send(request, { settings: settings(baseUrl), http, baseUrl, signal });
  assert.equal(outcome.kind, 'accepted');
  assert.equal(peer.requests.length, 1);
  // The peer reads bytes.
  const sent = Buffer.from(peer.requests[0]!, 'latin1').toString();
  return { externalId: outcome.externalId, request: sent };
}
