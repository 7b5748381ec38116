import { keyOf } from './query-key.ts';

test('no input, an empty one and one of empty parts are the same question', () => {
  const keys = [
    keyOf('get /v1/messages'),
    keyOf('get /v1/messages', {}),
    keyOf('get /v1/messages', { query: {} }),
  ];
  expect(keys).toEqual([['get /v1/messages'], ['get /v1/messages'], ['get /v1/messages']]);
});

test('another field is another question', () => {
  const query = { limit: 1, scheduled: false };
  expect(keyOf('get /v1/messages', { query })).toEqual(['get /v1/messages', { query }]);
  const path = { id: 'msg_1' };
  expect(keyOf('get /v1/messages/{id}', { path })).toEqual(['get /v1/messages/{id}', { path }]);
});
