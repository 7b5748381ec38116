import type { ChannelAccount, Webhook } from '@notify/sdk';
import { accountLabel } from '../../parts/account-label.ts';
import { amount } from '../../parts/time/time-text.ts';

/** Something that a tenant has to look at. */
export interface Problem {
  /** What it is about: `Webhook`. */
  readonly what: 'Webhook' | 'Account';
  readonly name: string;
  /** Its page. */
  readonly to: string;
  /** What is wrong, as the end of a sentence that begins with the name. */
  readonly says: string;
}

type Endpoint = Pick<Webhook, 'id' | 'url' | 'description' | 'state' | 'disabledReason' | 'waiting'>;
type Account = Pick<ChannelAccount, 'id' | 'name' | 'channel' | 'status'>;

/** What needs attention: webhooks that fail or that Notify disabled, then accounts that cannot send. */
export function problemsOf(webhooks: readonly Endpoint[], accounts: readonly Account[]): Problem[] {
  return [
    ...webhooks.flatMap((webhook) => {
      const says = faultOfWebhook(webhook);
      const name = webhook.description ?? webhook.url;
      return says === null ? [] : [{ what: 'Webhook', name, to: `/webhooks/${webhook.id}`, says } as const];
    }),
    ...accounts.flatMap((account) => {
      const says = faultOfAccount(account);
      const name = accountLabel(account, accounts);
      return says === null ? [] : [{ what: 'Account', name, to: `/channels/${account.id}`, says } as const];
    }),
  ];
}

/** A webhook that a person disabled is no problem. */
function faultOfWebhook({ state, disabledReason, waiting }: Endpoint): string | null {
  if (state === 'disabled' && disabledReason !== null) return 'was disabled by Notify';
  if (state !== 'failing') return null;
  if (waiting === 0) return 'is failing';
  return `is failing, and ${waiting === 1 ? '1 event waits' : `${amount(waiting)} events wait`}`;
}

function faultOfAccount({ status }: Account): string | null {
  if (status === 'action-required') return 'cannot send until you act';
  return status === 'disconnected' ? 'is disconnected, and its messages wait' : null;
}
