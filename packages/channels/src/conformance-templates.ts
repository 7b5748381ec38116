import assert from 'node:assert/strict';
import type { HttpClient } from '@notify/egress';
import { type ConformanceCase, type Subject, templateRequest } from './conformance-subject.ts';

/** The cases about templates. An adapter without `listTemplates` refuses them. */
export function templateCases(subject: Subject): readonly ConformanceCase[] {
  if (subject.adapter.listTemplates !== undefined) return [];
  return [{ name: 'refuses a template for good, and asks nobody', run: () => refusesTemplate(subject) }];
}

async function refusesTemplate({ adapter, settings }: Subject): Promise<void> {
  const unused = () => Promise.reject(new Error('a template needs no call'));
  const http: HttpClient = { request: unused, close: unused };
  const { signal } = new AbortController();
  const baseUrl = 'http://127.0.0.1:9';
  const context = { settings: settings(baseUrl), http, baseUrl, signal };
  const outcome = await adapter.send(templateRequest(), context);
  assert.equal('errorCode' in outcome && outcome.errorCode, 'template-not-supported');
  assert.equal(outcome.kind, 'rejected');
}
