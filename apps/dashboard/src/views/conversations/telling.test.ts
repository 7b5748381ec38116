import type { Provider } from '@notify/sdk';
import { tellingLabel } from './telling.ts';

const provider = (...chatStates: ('read' | 'typing')[]) =>
  ({ capabilities: { chatStates } }) as unknown as Provider;

test('the choice names what the provider can tell, and is missing where it can tell nothing', () => {
  expect(tellingLabel(provider('read', 'typing'))).toBe('Show the contact when you read and type');
  expect(tellingLabel(provider('typing'))).toBe('Show the contact when you type');
  expect(tellingLabel(provider())).toBeNull();
  expect(tellingLabel(undefined)).toBeNull();
});
