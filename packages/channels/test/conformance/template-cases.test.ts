import type { Template } from '@notify/core';
import type { Adapter, SendContext, TemplateList } from '../../src/adapter/channel.ts';
import { twilio } from '../../src/twilio/twilio.ts';
import { conformance } from './conformance.ts';

/* The suite must fail an adapter that breaks a promise about its templates. Each test breaks one promise. */

const secret = 'pass-word-1';
const template: Template = {
  name: 'sale',
  language: 'en',
  label: null,
  category: null,
  status: 'approved',
  reason: null,
  named: false,
  header: null,
  body: { text: 'Hi {{1}}', variables: [{ name: '1', example: null }] },
  footer: null,
  buttons: [],
};

function failureOf(name: string, listTemplates: NonNullable<Adapter['listTemplates']>): Promise<void> {
  const adapter = { ...twilio, listTemplates } as Adapter;
  const subject = {
    adapter,
    settings: () => ({ accountSid: `AC${'0'.repeat(32)}`, authToken: secret, from: '12345' }),
    secrets: [secret],
    http: { taken: { status: 201, body: '{"sid":"SM1"}' }, externalId: 'SM1' },
    templates: { page: [1], endless: [2] },
  };
  const found = conformance(subject).find((each) => each.name === name);
  if (found === undefined) throw new Error(`no case is called ${name}`);
  return found.run();
}

const listed = (...templates: readonly Template[]): TemplateList => ({ kind: 'listed', templates });
const failed = (refused: boolean, detail = 'no'): TemplateList => ({ kind: 'failed', refused, detail });

/** Asks once, and then answers whatever it got. */
const answering = (result: TemplateList) => async (context: SendContext<unknown>) => {
  const { http, baseUrl, signal } = context;
  await http.request({ method: 'GET', url: baseUrl, signal, deadlineMs: 1_000 });
  return result;
};
const throwing = () => Promise.reject(new Error('boom'));
const deaf = ({ http, baseUrl }: SendContext<unknown>) =>
  http.request({ method: 'GET', url: baseUrl, deadlineMs: 1_000 }).then(() => listed());
const stray = { ...template, body: { ...template.body, variables: [] } };
const unstorable = { ...template, body: { ...template.body, text: '\u0000' } };

test.each<[string, string, string, NonNullable<Adapter['listTemplates']>]>([
  ['throws', 'templates: no JSON', 'boom', throwing],
  ['keeps a part of a list', 'templates: a second page that fails', 'listed', answering(listed(template))],
  ['takes trouble for a refusal', 'templates: 500 refuses nothing', 'no', answering(failed(true))],
  ['overlooks a refusal', 'templates: 401 refuses the settings', 'no', answering(failed(false))],
  ['gives no reason', 'templates: no JSON', "''", answering(failed(false, ''))],
  ['shows a secret', 'templates: half a page', 'shows a secret', answering(failed(false, secret))],
  ['does not listen to its signal', 'templates: no JSON', 'must end with its signal', deaf],
  ['lists nothing', 'lists the templates of a page', '0', answering(listed())],
  ['lists a template twice', 'lists the templates of a page', 'twice', answering(listed(template, template))],
  [
    'overlooks a variable',
    'lists the templates of a page',
    'sale: 1 is no variable',
    answering(listed(stray)),
  ],
  ['cannot be stored', 'templates: values of every wrong type', 'leads to', answering(listed(unstorable))],
])('an adapter that %s fails at "%s": %s', async (_, name, message, listTemplates) => {
  await expect(failureOf(name, listTemplates)).rejects.toThrow(message);
});
