import type { LinkPurpose } from '@notify/db/tenants';
import type { Mail } from './mailer.ts';

/** How long a link in a mail works, in minutes. */
export const validMinutes: Readonly<Record<LinkPurpose, number>> = { password: 60, email: 24 * 60 };

/**
 * The letter with a link. It names nothing that somebody may have written at registration, because that may be a
 * stranger. The token is behind a `#`, which browsers send to no server.
 */
export function letterFor(
  purpose: LinkPurpose,
  publicUrl: string,
  token: string,
): Pick<Mail, 'subject' | 'text'> {
  const { host } = new URL(publicUrl);
  switch (purpose) {
    case 'password':
      return {
        subject: 'Choose a new password for Notify',
        text: lines(
          `Somebody asked for a new password for the login with this email address at ${host}.`,
          'If that was you, open this link within an hour to choose one:',
          `${publicUrl}/reset-password#${token}`,
          'If that was not you, ignore this email. Your password stays the same.',
        ),
      };
    case 'email':
      return {
        subject: 'Verify your email address for Notify',
        text: lines(
          `Somebody registered with this email address at ${host}.`,
          'If that was you, open this link within 24 hours to verify the address:',
          `${publicUrl}/verify-email#${token}`,
          'If that was not you, ignore this email. Nothing more happens.',
        ),
      };
  }
}

/** The letter to a new address, with the link that makes it the address of the account. */
export function newEmailLetter(publicUrl: string, token: string): Pick<Mail, 'subject' | 'text'> {
  const { host } = new URL(publicUrl);
  return {
    subject: 'Confirm your new email address for Notify',
    text: lines(
      `Somebody wants to use this email address for an account at ${host}.`,
      'If that was you, open this link within 24 hours to confirm it:',
      `${publicUrl}/verify-email#${token}`,
      'If that was not you, ignore this mail.',
    ),
  };
}

/** The letter to the old address. It does not name the new one. */
export function emailNotice(publicUrl: string): Pick<Mail, 'subject' | 'text'> {
  const { host } = new URL(publicUrl);
  return {
    subject: 'Your email address for Notify is about to change',
    text: lines(
      `Somebody who knows your password asked for another email address for your account at ${host}.`,
      'If that was you, open the link in the mail to the new address.',
      `If that was not you, change your password now: that ends the request. ${publicUrl}/forgot-password`,
    ),
  };
}

function lines(...paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`;
}
