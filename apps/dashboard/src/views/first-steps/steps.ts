import type { ChannelAccount } from '@notify/sdk';
import type { StepName } from './commands.ts';

/** A step of a new tenant. */
export interface Step {
  readonly name: StepName;
  readonly title: string;
  readonly about: string;
  readonly to: string;
  readonly button: string;
}

type Known = Pick<ChannelAccount, 'provider' | 'channel' | 'isDefault'>;

/** The account that the sample of a send uses: the default for SMS, or else the first. Null without any. */
export function accountToTry<Account extends Known>(accounts: readonly Account[]): Account | null {
  return accounts.find(({ isDefault, channel }) => isDefault && channel === 'sms') ?? accounts[0] ?? null;
}

/**
 * The steps in their order. With the sandbox one can send at once, and connects a channel last. Without any account, one
 * connects a channel first.
 */
export function stepsFor(accounts: readonly Known[]): readonly Step[] {
  const account = accountToTry(accounts);
  const first = [createKey, send(account), addWebhook];
  return account === null ? [connect(false), ...first] : [...first, connect(accounts.some(isSandbox))];
}

function isSandbox({ provider }: Known): boolean {
  return provider === 'sandbox';
}

const createKey: Step = {
  name: 'key',
  title: 'Create an API key',
  about: 'Your program sends with it.',
  to: '/keys',
  button: 'Create a key',
};

const addWebhook: Step = {
  name: 'webhook',
  title: 'Add a webhook',
  about: 'Notify posts every status change to your endpoint.',
  to: '/webhooks',
  button: 'Add a webhook',
};

function send(account: Known | null): Step {
  const about =
    account !== null && isSandbox(account)
      ? 'The sandbox simulates it, so nothing reaches a phone. Follow it under Messages.'
      : 'Use your own number to see it arrive.';
  return { name: 'send', title: 'Send a message', about, to: '/messages', button: 'Send test message' };
}

function connect(hasSandbox: boolean): Step {
  const about = hasSandbox
    ? 'Your phone, bot or SMS provider. Messages then reach real recipients.'
    : 'Your phone, bot or SMS provider. Messages are sent from it.';
  return { name: 'connect', title: 'Connect a channel', about, to: '/channels', button: 'Connect a channel' };
}
