const url = 'https://gateway.example/send';
const body = { type: 'form', fields: { to: '{{to}}', text: '{{text}}' } };
const pattern = (one: string) => ({
  url,
  body,
  success: { body: one },
  externalId: { pattern: one },
  errors: Array(30).fill({ body: one, means: 'retry' }),
});
const repeated = (unit: string, characters: number) => unit.repeat(Math.floor(characters / unit.length));
const many = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, value]));

/** Settings of a gateway that are expensive to check, at most 256 KB each, by name. */
export const hostileSettings: Readonly<Record<string, object>> = {
  'repetitions in patterns': pattern('a{0,1000}'.repeat(33)),
  'repetitions just within the limit': pattern('a{0,14}'),
  'classes of Unicode': pattern(`(?i)${repeated('\\pL', 280)}`),
  'folded ranges': pattern(`(?i)${repeated('[\\x{42}-\\x{1e942}]', 280)}`),
  'one class of Unicode each': pattern('(?i)\\pL'),
  'many placeholders': {
    url,
    body: { type: 'form', fields: { to: '{{to}}', ...many(14, '{{text}}'.repeat(999)) } },
  },
  'long templates': {
    url,
    body: { type: 'form', fields: { to: '{{to}}{{text}}', ...many(30, '€'.repeat(2_700)) } },
  },
  'many secrets in a header': {
    url,
    body,
    headers: { 'X-A': '{{secret.n0}}'.repeat(600) },
    secrets: many(10, 'x'.repeat(4_000)),
  },
  'many values of receipts': { url, body, reports: { status: 's', values: many(15_000, 'sent') } },
  'many unknown fields': { url, body, ...many(15_000, 'x') },
  'half a brace': {
    url: `${url}?${'{{'.repeat(990)}`,
    body: { type: 'text', template: '{{ '.repeat(2_600) },
  },
  'many keywords': { url, body, keywords: { stop: many(15_000, 'x') } },
};
