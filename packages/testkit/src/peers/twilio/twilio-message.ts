import { type ContentMessage, readContentMessage, type TwilioContent } from './twilio-contents.ts';
import { magicRecipients, magicSenders, TwilioError } from './twilio-errors.ts';

/** The senders of the account. */
export const ownedNumbers: readonly string[] = ['+15005550006', '+15005550010'];
export const messagingServiceSid = `MG${'3f'.repeat(16)}`;

/** A message as requested. */
export interface TwilioMessage {
  readonly to: string;
  /** A number or a name. The SID of the Messaging Service if that chooses. */
  readonly from: string;
  readonly byService: boolean;
  readonly text: string;
  readonly statusCallback: string | null;
  /** The error that the message is reported with after it was taken. */
  readonly reportedError: number | null;
}

const parameters: ReadonlySet<string> = new Set([
  'To',
  'From',
  'MessagingServiceSid',
  'Body',
  'ContentSid',
  'ContentVariables',
  'StatusCallback',
  'ValidityPeriod',
]);

/**
 * Reads the form of a message. Throws the error with which Twilio would refuse it. Unlike Twilio, it accepts only
 * parameters that we mean to send.
 */
export function readMessage(
  contentType: string | undefined,
  body: string,
  contents: readonly TwilioContent[],
): TwilioMessage {
  if (contentType !== 'application/x-www-form-urlencoded') throw new TwilioError(20001);
  const form = new URLSearchParams(body);
  for (const name of form.keys()) if (!parameters.has(name)) throw new TwilioError(20001);
  const message = {
    to: recipientOf(form),
    from: senderOf(form),
    byService: form.has('MessagingServiceSid'),
    ...contentOf(form, contents),
    statusCallback: statusCallbackOf(form),
  };
  const validity = form.get('ValidityPeriod');
  if (validity !== null && !isValidityPeriod(validity)) throw new TwilioError(21624);
  return message;
}

/** Whole seconds, from 1 to 36,000 (twilio.com/docs/api/errors/21624). */
function isValidityPeriod(written: string): boolean {
  return /^\d{1,5}$/.test(written) && Number(written) >= 1 && Number(written) <= 36_000;
}

function contentOf(form: URLSearchParams, contents: readonly TwilioContent[]): ContentMessage {
  const text = form.get('Body');
  if (form.has('ContentSid') || form.has('ContentVariables')) {
    if (text !== null) throw new TwilioError(20001);
    return readContentMessage(form, contents);
  }
  if (text === null || text === '') throw new TwilioError(21602);
  if (text.length > 1_600) throw new TwilioError(21617);
  return { text, reportedError: null };
}

function recipientOf(form: URLSearchParams): string {
  const to = form.get('To') ?? '';
  const magic = magicRecipients.get(to);
  if (magic !== undefined) throw new TwilioError(magic);
  if (!/^\+[1-9]\d{6,14}$/.test(to)) throw new TwilioError(21211);
  return to;
}

function senderOf(form: URLSearchParams): string {
  const service = form.get('MessagingServiceSid');
  const from = form.get('From');
  if (service !== null) return senderOfService(service, from);
  if (from === null) throw new TwilioError(21603);
  const magic = magicSenders.get(from);
  if (magic !== undefined) throw new TwilioError(magic);
  if (from.startsWith('+') && !ownedNumbers.includes(from)) throw new TwilioError(21659);
  return from;
}

/** A sender may be named beside a service that has it. This one has the numbers of the account, and any name. */
function senderOfService(service: string, from: string | null): string {
  if (service !== messagingServiceSid) throw new TwilioError(21705);
  if (from === null) return service;
  if (/^[+\d]/.test(from) && !ownedNumbers.includes(from)) throw new TwilioError(21711);
  return from;
}

function statusCallbackOf(form: URLSearchParams): string | null {
  const url = form.get('StatusCallback');
  if (url !== null && !/^https?:\/\/[^/]+\//.test(url)) throw new TwilioError(21609);
  return url;
}
