import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  ContactEventBody,
  EventBody,
  GroupEventBody,
  messageErrors,
  problems,
  ReceivedEventBody,
  TestEventBody,
  VerificationEventBody,
} from '@notify/contract';
import { subscribableEvents } from '@notify/core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import express, { type Express } from 'express';
import request from 'supertest';
import { describeApi } from '../src/docs/openapi/openapi.ts';
import { docsRouter } from '../src/docs/router.ts';
import { routes } from '../src/routes.ts';

let folder: string;
let app: Express;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'notify-docs-'));
  await mkdir(path.join(folder, 'assets'));
  await writeFile(path.join(folder, 'assets/api-reference-a1b2c3d4.js'), '');
  await writeFile(path.join(folder, 'assets/inter-latin-wght-normal-Dx.woff2'), '');
  app = express().use(docsRouter(routes, { dashboard: folder }));
});
afterAll(() => rm(folder, { recursive: true }));

test('the API reference may run and load nothing that is not ours', async () => {
  const answer = await request(app).get('/docs');
  expect([answer.status, answer.type]).toEqual([200, 'text/html']);
  expect(answer.headers['cache-control']).toBe('public, max-age=300');
  expect(answer.headers['content-security-policy']).toBe(
    "default-src 'none';script-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data: blob:;" +
      "connect-src 'self';font-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
  );
  expect(answer.text).toContain('<script src="/assets/api-reference-a1b2c3d4.js"></script>');
  expect(answer.text).toContain("url('/assets/inter-latin-wght-normal-Dx.woff2')");
  expect(answer.text).not.toMatch(/https?:/);
});

test('where nothing is built /docs says what to run, and is there once that is done', async () => {
  const later = path.join(folder, 'later');
  const waiting = express().use(docsRouter(routes, { dashboard: later }));
  const before = await request(waiting).get('/docs');
  expect([before.status, before.text]).toEqual([200, expect.stringContaining('npm run dashboard')]);
  expect(before.headers['cache-control']).toBe('no-store');
  await mkdir(path.join(later, 'assets'), { recursive: true });
  for (const name of ['api-reference-a1b2c3d4.js', 'inter-latin-wght-normal-Dx.woff2'])
    await writeFile(path.join(later, 'assets', name), '');
  expect((await request(waiting).get('/docs')).text).toContain('id="api-reference"');
});

test('the document is served as JSON', async () => {
  const answer = await request(app).get('/openapi.json');
  expect([answer.status, answer.type, answer.body.openapi]).toEqual([200, 'application/json', '3.1.0']);
});

test('every tag is described', () => {
  const undescribed = describeApi(routes, '1').tags.filter(({ description }) => description === undefined);
  expect(undescribed).toEqual([]);
});

test('the document has every event, with an example that its schema allows', () => {
  const { webhooks } = describeApi(routes, '1');
  expect(Object.keys(webhooks)).toEqual([...subscribableEvents, 'webhook.test']);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const [name, { post }] of Object.entries(webhooks)) {
    const { example } = post.requestBody.content['application/json'];
    const allows = ajv.compile(schemaOf(name));
    allows(example);
    expect([name, allows.errors, example]).toEqual([name, null, expect.objectContaining({ event: name })]);
  }
});

function schemaOf(name: string): object {
  if (name === 'webhook.test') return TestEventBody;
  if (name === 'message.received') return ReceivedEventBody;
  if (name.startsWith('group.')) return GroupEventBody;
  if (name === 'verification.held') return VerificationEventBody;
  return name.startsWith('contact.') ? ContactEventBody : EventBody;
}

test('the page of error codes has all of them', async () => {
  const { text } = await request(app).get('/problems');
  for (const code of [...Object.keys(problems), ...Object.keys(messageErrors)]) expect(text).toContain(code);
});
