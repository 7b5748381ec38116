import type { Consent } from '@notify/contract';
import { formatId, isStorable, shownAddress } from '@notify/core';
import { type AccountRow, findAccount } from '@notify/db/accounts';
import { hasHeardOf, readConsent } from '@notify/db/consents';
import type { Db } from '@notify/db/connection';
import Type, { type Static } from 'typebox';
import { readAccountId } from '../channel-accounts/account.ts';
import { found } from '../problems/found.ts';
import { Problem } from '../problems/problem.ts';
import { judgeRecipient } from '../sending/recipient.ts';

/** Path parameters of the routes of one recipient. */
export const ConsentParams = Type.Object({
  channelAccountId: Type.String(),
  recipient: Type.String({
    description: 'The phone number or chat ID, percent-encoded.',
    examples: ['+14155550123'],
  }),
});

/** The account and the recipient that a path names. */
export interface Subject {
  readonly account: Pick<AccountRow, 'id' | 'channel'> & { readonly tenantId: string };
  readonly recipient: string;
}

/** Reads the path. Throws `not-found` for an account that is not the tenant's, and `invalid-recipient`. */
export async function readSubject(
  db: Db,
  tenantId: string,
  { channelAccountId, recipient }: Static<typeof ConsentParams>,
): Promise<Subject> {
  const { id, channel } = found(await findAccount(db, tenantId, readAccountId(channelAccountId)));
  const account = { id, channel, tenantId };
  const fault = judgeRecipient(channel, recipient);
  // People also write from addresses that no send takes.
  if (fault !== null && !(isStorable(recipient) && (await hasHeardOf(db, account, recipient))))
    throw new Problem('invalid-recipient', { errors: [{ at: 'path/recipient', message: fault }] });
  return { account, recipient };
}

const shownChanges = 100;

/** What is known of a recipient's consent, as the API shows it. */
export async function showConsent(db: Db, { account, recipient }: Subject): Promise<Consent> {
  const { current, changes } = await readConsent(db, account, recipient, shownChanges);
  return {
    channelAccountId: account.id,
    channel: account.channel,
    recipient: shownAddress(account.channel, recipient),
    status: current?.status ?? null,
    source: current?.source ?? null,
    changedAt: current?.changedAt.toISOString() ?? null,
    history: changes.map(({ status, source, changedAt, messageId, note }) => ({
      status,
      source,
      changedAt: changedAt.toISOString(),
      messageId: messageId === null ? null : formatId('msg', messageId),
      note,
    })),
  };
}
