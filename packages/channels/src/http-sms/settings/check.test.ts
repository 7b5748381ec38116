import { checkSettings } from '../../settings/settings.ts';
import { httpSms } from '../http-sms.ts';
import type { HttpSmsSettings } from './settings.ts';

const url = 'https://gw.example/send';
const template: HttpSmsSettings = {
  url,
  body: { type: 'query', fields: { to: '{{to}}', text: '{{text}}' } },
};

describe('settings', () => {
  const kannel: HttpSmsSettings = { profile: 'kannel', url, username: 'u', password: 'p' };
  const withBody = (body: HttpSmsSettings['body']) => ({ ...template, body });

  test.each([
    template,
    kannel,
    { ...template, url: 'http://10.0.0.1:8080/a?b={{to}}' },
    { ...template, url: 'https://gw.example?b={{to}}' },
    { ...template, url: 'https://[2001:db8::1]:8080/{{to}}' },
    withBody({ type: 'json', template: '{"to":"{{to}}","m":{"t":"{{text}}"},"of":{{parts}}}' }),
    withBody({ type: 'form', fields: { a: '{{to}}', b: '{{text}}'.repeat(5) } }),
    { ...withBody({ type: 'form', fields: { a: '{{to}}', b: '{{text}}'.repeat(100) } }), maxSegments: 1 },
  ])('%j will do', (settings) => {
    expect(checkSettings(httpSms, settings)).toEqual([]);
  });

  test.each([
    [{ ...template, url: 'ftp://gw.example' }, '/url'],
    [{ ...template, url: 'https://{{to}}.example/' }, '/url'],
    [{ ...template, url: 'https://gw.{{text}}/x' }, '/url'],
    [{ ...template, url: 'https://gw.example{{to}}/' }, '/url'],
    [{ ...template, url: 'https://gw.example:80{{part}}/' }, '/url'],
    [{ ...template, url: 'https://gw.example@{{text}}/' }, '/url'],
    [{ ...template, url: 'https://\t/{{text}}/' }, '/url'],
    [{ ...template, url: 'https://\\{{text}}/' }, '/url'],
    [{ ...template, verifyUrl: 'https://gw.{{text}}/x' }, '/verifyUrl'],
    [{ ...template, url: 'https://{{secret.a}}/', secrets: { a: 'b' } }, '/url'],
    [{ ...template, url: 'https://u:p@gw.example/' }, '/url'],
    [{ ...template, url: 'https://gw.example/#a' }, '/url'],
    [{ ...template, verifyUrl: 'nowhere' }, '/verifyUrl'],
    [{ ...template, username: 'u' }, '/username'],
    [{ profile: 'kannel', url, username: 'u' }, '/password'],
    [{ ...kannel, headers: {} }, '/headers'],
    [{ ...kannel, url: `${url}?{{to}}` }, '/url'],
    [{ url }, '/body'],
    [withBody({ type: 'query', fields: { to: '{{to}}' } }), '/body'],
    [withBody({ type: 'query', fields: { to: '{{to}}', text: '{{Text}} {{text}}' } }), '/body/fields/text'],
    [
      withBody({ type: 'query', fields: { to: '{{to}}', text: '{{text}}{{secret.no}}' } }),
      '/body/fields/text',
    ],
    [withBody({ type: 'form', template: '{{to}} {{text}}' }), '/body/fields'],
    [withBody({ type: 'form', template: '{{to}} {{text}}' }), '/body/template'],
    [withBody({ type: 'json', template: '{"to":{{to}},"text":"{{text}}"}' }), '/body/template'],
    [{ ...withBody({ type: 'form', fields: { a: '{{to}}{{text}}' } }), method: 'GET' }, '/body/type'],
    [{ ...template, headers: { 'a b': 'c' } }, '/headers/a b'],
    [{ ...template, headers: { Host: 'c' } }, '/headers/Host'],
    [{ ...template, headers: { 'X-A': 'a\r\nb' } }, '/headers/X-A'],
    [{ ...template, success: { body: '(' } }, '/success/body'],
    [{ ...template, success: { status: ['20'] } }, '/success/status/0'],
    [{ ...template, success: { body: '((a{0,30}){0,30})$' } }, '/success/body'],
    [{ ...template, errors: Array(3).fill({ body: 'a{200}', means: 'retry' }) }, '/errors/2/body'],
    [{ ...template, errors: [{ body: '(?=x)', means: 'retry' }] }, '/errors/0/body'],
    [{ ...template, errors: [{ means: 'retry', errorCode: 'own' }] }, '/errors/0/errorCode'],
    [{ ...template, onUnknownOutcome: 'maybe' }, '/onUnknownOutcome'],
    [withBody({ type: 'form', fields: { to: '{{to}}', a: '{{text}}'.repeat(999) } }), '/body/fields/a'],
    [withBody({ type: 'query', fields: { a: '{{to}}', b: '{{text}}'.repeat(6) } }), '/body/fields/b'],
    [withBody({ type: 'text', template: `{{to}}${'{{text}}'.repeat(17)}` }), '/body/template'],
    [withBody({ type: 'json', template: `"{{to}}${'{{text}}'.repeat(11)}"` }), '/body/template'],
    [{ ...template, headers: { 'X-A': '{{text}}'.repeat(6) } }, '/headers/X-A'],
    [{ ...template, url: `${url}?${'{{text}}'.repeat(6)}` }, '/url'],
    [
      { ...template, headers: { 'X-A': '{{secret.a}}'.repeat(70) }, secrets: { a: 'x'.repeat(4_000) } },
      '/headers/X-A',
    ],
    [
      { ...template, verifyUrl: `${url}?${'{{secret.a}}'.repeat(70)}`, secrets: { a: 'x'.repeat(4_000) } },
      '/verifyUrl',
    ],
    [{ ...template, coding: { gsm7: '0', ucs2: '8'.repeat(101) } }, '/coding/ucs2'],
    [
      { ...template, reports: { status: 's', values: { ['x'.repeat(101)]: 'sent' } } },
      `/reports/values/${'x'.repeat(101)}`,
    ],
  ])('%j will not: %s', (settings, at) => {
    expect(checkSettings(httpSms, settings).map((fault) => fault.at)).toContain(at);
  });
});
