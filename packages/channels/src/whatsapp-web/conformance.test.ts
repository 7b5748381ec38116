import { conformance, type Subject } from '../../test/conformance/conformance.ts';
import { whatsappWeb } from './whatsapp-web.ts';

const subject: Subject = { adapter: whatsappWeb, settings: () => ({ newContactsPerDay: 5 }), secrets: [] };

test.each(conformance(subject))('$name', async ({ run }) => {
  await expect(run()).resolves.toBeUndefined();
});
