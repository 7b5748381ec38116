import { pathOf } from './client.ts';

test('fills in a path, and no value in it can lead elsewhere', () => {
  expect(pathOf('/v1/webhooks/{id}/deliveries', { path: { id: 'a/../b?c' } })).toBe(
    '/v1/webhooks/a%2F..%2Fb%3Fc/deliveries',
  );
});

test('a query leaves out empty fields', () => {
  const query = { state: 'failed', cursor: undefined, to: '', from: null, limit: 0 };
  expect(pathOf('/x', { query })).toBe('/x?state=failed&limit=0');
  expect(pathOf('/x', { query: { cursor: undefined } })).toBe('/x');
});
