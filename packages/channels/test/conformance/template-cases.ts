import assert from 'node:assert/strict';
import { isStorable, type Template } from '@notify/core';
import type { HttpClient } from '@notify/egress';
import type { TemplateList } from '../../src/adapter/channel.ts';
import { watchedClient } from './http-cases.ts';
import { answering, breakingOff, inTurn, quoting, type Script, startPeer } from './scripted-peer.ts';
import { assertNoSecret, type ConformanceCase, noStream, type Subject, templateRequest } from './subject.ts';
import { pathsIn, replaced } from './values.ts';

/** The cases about templates. An adapter without `listTemplates` refuses them. */
export function templateCases(subject: Subject): readonly ConformanceCase[] {
  if (subject.adapter.listTemplates === undefined)
    return [{ name: 'refuses a template for good, and asks nobody', run: () => refusesTemplate(subject) }];
  if (subject.http === undefined)
    return [{ name: 'lists its own templates', run: () => listsItsOwn(subject) }];
  const { templates } = subject;
  if (templates === undefined) throw new Error('a list of templates is needed to try listTemplates');
  return [...sendCases(subject), ...listCases(subject, templates)];
}

type Listed = NonNullable<Subject['templates']>;

function sendCases(subject: Subject): ConformanceCase[] {
  const { taken } = subject.http!;
  return [{ name: 'sends a template, not its text', run: () => sendsTemplate(subject, answering(taken)) }];
}

/** The answers to a question for templates. None may throw, and only a whole list counts. */
function listCases(subject: Subject, { page, endless }: Listed): ConformanceCase[] {
  const listing = (document: unknown): Script => answering({ status: 200, body: JSON.stringify(document) });
  const refused: readonly [name: string, script: Script][] = [401, 403].map((status) => [
    `templates: ${status} refuses the settings`,
    answering({ status }),
  ]);
  const failing: readonly [name: string, script: Script][] = [
    ['templates: 429 refuses nothing', answering({ status: 429 })],
    ['templates: 500 refuses nothing', answering({ status: 500 })],
    ['templates: a page of a proxy', answering({ status: 502, body: '<html>Bad Gateway</html>' })],
    ['templates: no JSON', answering({ status: 200, body: '<html>' })],
    ['templates: an empty answer', answering({ status: 200 })],
    ['templates: another document', listing({ success: true })],
    ['templates: half a page', breakingOff({ status: 200, body: JSON.stringify(page) })],
    [
      'templates: 10 MB',
      answering({ status: 200, body: `${JSON.stringify(page)}${' '.repeat(10_000_000)}` }),
    ],
    ['templates: a million values', answering({ status: 200, body: `[${'[],'.repeat(1_000_000)}0]` })],
    ['templates: reset after the request', (socket) => socket.resetAndDestroy()],
    ['templates: something that is not HTTP', (socket) => socket.end('\u0000\u0001 garbage\r\n\r\n')],
    ['templates: a list without end', listing(endless)],
    ['templates: a second page that fails', inTurn(listing(endless), answering({ status: 500 }))],
  ];
  return [
    { name: 'lists the templates of a page', run: () => listsPage(subject, listing(page)) },
    ...refused.map(([name, script]) => ({ name, run: () => failsToList(subject, script, true) })),
    ...failing.map(([name, script]) => ({ name, run: () => failsToList(subject, script, false) })),
    { name: 'templates: no answer in time', run: () => failsToList(subject, () => undefined, false, 300) },
    { name: 'templates: values of every wrong type', run: () => readsMutations(subject, page) },
    ...[200, 400, 500].map((status) => ({
      name: `templates: an answer of ${status} that quotes the request gives no secret away`,
      run: async () => void (await list(subject, quoting(status))),
    })),
  ];
}

async function refusesTemplate({ adapter, settings }: Subject): Promise<void> {
  const context = contextOf(settings, unused);
  const outcome = await adapter.send(templateRequest(), context);
  assert.equal('errorCode' in outcome && outcome.errorCode, 'template-not-supported');
  assert.equal(outcome.kind, 'rejected');
}

async function listsItsOwn({ adapter, settings }: Subject): Promise<void> {
  assertTemplates(await adapter.listTemplates!(contextOf(settings, unused)));
}

async function sendsTemplate({ adapter, settings }: Subject, script: Script): Promise<void> {
  await using peer = await startPeer(script);
  const { signal } = new AbortController();
  await using http = watchedClient(adapter, { signal });
  const baseUrl = `http://${peer.host}`;
  const outcome = await adapter.send(templateRequest(), {
    settings: settings(baseUrl),
    http,
    baseUrl,
    signal,
  });
  assert.equal(outcome.kind, 'accepted');
  const [request = ''] = peer.requests;
  assert.ok(request.includes('HX0123456789abcdef0123456789abcdef'), 'the template is not named');
  assert.ok(!/Hello/.test(request), "the text of a template is the provider's to write");
}

async function listsPage(subject: Subject, script: Script): Promise<void> {
  assertTemplates(await list(subject, script));
}

async function failsToList(
  subject: Subject,
  script: Script,
  refused: boolean,
  patienceMs?: number,
): Promise<void> {
  const result = await list(subject, script, patienceMs);
  assert.equal(result.kind, 'failed');
  assert.equal(result.refused, refused, result.detail);
  assert.notEqual(result.detail, '');
}

async function list(subject: Subject, script: Script, patienceMs?: number): Promise<TemplateList> {
  await using peer = await startPeer(script);
  const { signal } = new AbortController();
  await using http = watchedClient(subject.adapter, {
    signal,
    ...(patienceMs === undefined ? {} : { patienceMs }),
  });
  const baseUrl = `http://${peer.host}`;
  const settings = subject.settings(baseUrl);
  const result = await subject.adapter.listTemplates!({ settings, http, baseUrl, signal });
  assertNoSecret(result, subject.secrets);
  return result;
}

/** Puts a value of every type into every place of the page. The adapter must read or refuse each of them. */
async function readsMutations({ adapter, settings }: Subject, page: unknown): Promise<void> {
  const values = [null, true, 1.5, '', 'x', '{{', '{{1}} {{a}} \u0000\ud800', [], [[]], {}, { type: {} }];
  for (const path of pathsIn(page)) {
    for (const value of values) {
      const document = replaced(page, path, value);
      const context = contextOf(settings, answeringOnce(document));
      const result = await adapter.listTemplates!(context);
      for (const text of textsIn(result)) assert.ok(isStorable(text), `${path.join('/')} leads to ${text}`);
    }
  }
}

function contextOf(settings: Subject['settings'], request: HttpClient['request']) {
  const http: HttpClient = { request, stream: noStream, close: async () => undefined };
  const { signal } = new AbortController();
  const baseUrl = 'http://127.0.0.1:9';
  return { settings: settings(baseUrl), http, baseUrl, signal };
}

const unused = () => Promise.reject(new Error('no call is needed'));

/** Answers with the document, and then with a list that ends. */
function answeringOnce(document: unknown): HttpClient['request'] {
  const bodies = [JSON.stringify(document)];
  return async () => {
    const body = Buffer.from(bodies.pop() ?? '{}');
    return { ok: true, status: 200, headers: {}, body, truncated: false, durationMs: 1 };
  };
}

function assertTemplates(result: TemplateList): void {
  assert.equal(result.kind, 'listed');
  assert.notEqual(result.templates.length, 0);
  const keys = result.templates.map(({ name, language }) => `${name} ${language}`);
  assert.equal(new Set(keys).size, keys.length, 'a template is listed twice');
  result.templates.forEach(assertVariables);
}

/** Each placeholder of a text is a variable. */
function assertVariables({ name, header, body }: Template): void {
  const texts = header?.kind === 'text' ? [header, body] : [body];
  for (const { text, variables } of texts)
    for (const [, placeholder] of text.matchAll(/\{\{(\w+)\}\}/g))
      assert.ok(
        variables.some((variable) => variable.name === placeholder),
        `${name}: ${placeholder} is no variable`,
      );
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
