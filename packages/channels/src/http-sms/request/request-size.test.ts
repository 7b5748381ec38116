import fc from 'fast-check';
import { sendRequest } from '../../../test/conformance/conformance.ts';
import { gatewayOf } from '../gateways/profiles.ts';
import type { HttpSmsSettings } from '../settings/settings.ts';
import { build, sendingDraft, sizeOf } from './request.ts';

const part = fc.oneof(
  fc.constantFrom('{{to}}', '{{text}}', '{{ secret.a }}', '{{part}}', '{{from}}'),
  fc.string({ unit: 'grapheme', maxLength: 5 }).filter((text) => !/[{}]/.test(text)),
);
const template = fc.array(part, { maxLength: 8 }).map((parts) => `x${parts.join('')}`);
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 });
const body = fc.oneof(
  fc.record({
    type: fc.constantFrom('query', 'form'),
    fields: fc.dictionary(template, template, { maxKeys: 4 }),
  }),
  fc.record({ type: fc.constantFrom('json', 'text'), template }),
);
const settings = fc.record({
  url: template.map((path) => `https://gw.example/${path}`),
  headers: fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/), template, { maxKeys: 4 }),
  secrets: fc.record({ a: text }),
  body,
});

/** The bytes of everything that a template of the settings is part of. */
function bytesOf(
  { url, headers = {}, body: content }: ReturnType<typeof build>,
  given: HttpSmsSettings,
): number {
  const names = Object.keys(given.headers ?? {});
  const lines = names.map((name) => `${name}: ${headers[name]}\r\n`);
  return Buffer.byteLength(url + lines.join('') + (content ?? ''));
}

test('the size of a request is known before it is built', () => {
  fc.assert(
    fc.property(settings, text, (given, message) => {
      const chosen = given as HttpSmsSettings;
      const draft = sendingDraft(gatewayOf(chosen), sendRequest({ body: { text: message } }), message);
      const [told, real] = [sizeOf(draft), bytesOf(build(draft), chosen)];
      expect(told).toBeGreaterThanOrEqual(real);
      // The `&` or `?` of the first field is the only byte that may be too many.
      expect(told - real).toBeLessThanOrEqual(1);
    }),
  );
});
