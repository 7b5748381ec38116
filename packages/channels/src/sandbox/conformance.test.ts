import { conformance, type Subject } from '../../test/conformance/conformance.ts';
import { sandbox } from './sandbox.ts';

const subject: Subject = { adapter: sandbox, settings: () => ({ channel: 'sms' }), secrets: [] };

test.each(conformance(subject))('$name', async ({ run }) => {
  await expect(run()).resolves.toBeUndefined();
});
