import { wireId } from './message-id.ts';

test('an id looks like those of WhatsApp, and depends only on the message', () => {
  const id = wireId('019a0000-0000-7000-8000-000000000001');
  expect(id).toMatch(/^3EB0[0-9A-F]{18}$/);
  expect(wireId('019a0000-0000-7000-8000-000000000001')).toBe(id);
  expect(wireId('019a0000-0000-7000-8000-000000000002')).not.toBe(id);
});
