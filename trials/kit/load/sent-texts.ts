import type { LedgerEntry, SmsEntry } from '@notify/testkit';
import type { System } from '../system/system.ts';

/** One message that a provider was asked to send. */
export interface SentText {
  readonly messageId: string;
  readonly to: string;
  readonly text: string;
  /** How often the provider took it. */
  readonly taken: number;
}

/** Everything that the providers were asked to send to numbers that begin so. */
export async function textsTo(
  { gateway, twilio }: Pick<System, 'gateway' | 'twilio'>,
  prefix: string,
): Promise<readonly SentText[]> {
  const [throughGateway, throughTwilio] = await Promise.all([
    gateway.ledger<LedgerEntry>(),
    twilio.ledger<SmsEntry>(),
  ]);
  return [
    ...throughGateway.map(({ id, to, text, taken }) => ({ messageId: id, to, text, taken })),
    ...throughTwilio.map(({ id, to, text, externalIds }) => ({
      messageId: id,
      to,
      text,
      taken: externalIds.length,
    })),
  ].filter(({ to }) => to.startsWith(prefix));
}
