import { statuses, type StatusName } from './codes.ts';

/** The meaning of a `command_status` in the answer to a message. The error codes are those of a message's `errorCode`. */
export type StatusMeaning =
  | { readonly kind: 'accepted' | 'throttled' | 'retry' | 'account' | 'unknown' }
  | {
      readonly kind: 'rejected';
      readonly errorCode:
        'recipient-rejected' | 'sender-rejected' | 'content-rejected' | 'provider-rejected' | 'undelivered';
    };

const accepted: StatusMeaning = { kind: 'accepted' };
const throttled: StatusMeaning = { kind: 'throttled' };
const retry: StatusMeaning = { kind: 'retry' };
const account: StatusMeaning = { kind: 'account' };
const unknown: StatusMeaning = { kind: 'unknown' };
const recipient: StatusMeaning = { kind: 'rejected', errorCode: 'recipient-rejected' };
const sender: StatusMeaning = { kind: 'rejected', errorCode: 'sender-rejected' };
const content: StatusMeaning = { kind: 'rejected', errorCode: 'content-rejected' };
const rejected: StatusMeaning = { kind: 'rejected', errorCode: 'provider-rejected' };
const undelivered: StatusMeaning = { kind: 'rejected', errorCode: 'undelivered' };

/** Each status of the specification (SMPP 3.4, table 5-2 in section 5.1.3), and what the specification calls it. */
export const statusTable: Readonly<
  Record<StatusName, { readonly meaning: StatusMeaning; readonly words: string }>
> = {
  ESME_ROK: { meaning: accepted, words: 'no error' },
  ESME_RINVMSGLEN: { meaning: content, words: 'message length is invalid' },
  ESME_RINVCMDLEN: { meaning: rejected, words: 'command length is invalid' },
  ESME_RINVCMDID: { meaning: rejected, words: 'invalid command id' },
  // The bind is gone, or another one than the SMSC thinks. A new bind takes the message.
  ESME_RINVBNDSTS: { meaning: retry, words: 'incorrect bind status for given command' },
  // Another process still holds the bind.
  ESME_RALYBND: { meaning: retry, words: 'ESME already in bound state' },
  ESME_RINVPRTFLG: { meaning: rejected, words: 'invalid priority flag' },
  // The account may not ask for receipts, so each of its messages is refused.
  ESME_RINVREGDLVFLG: { meaning: account, words: 'invalid registered delivery flag' },
  ESME_RSYSERR: { meaning: retry, words: 'system error' },
  ESME_RINVSRCADR: { meaning: sender, words: 'invalid source address' },
  ESME_RINVDSTADR: { meaning: recipient, words: 'invalid destination address' },
  ESME_RINVMSGID: { meaning: rejected, words: 'message id is invalid' },
  ESME_RBINDFAIL: { meaning: account, words: 'bind failed' },
  ESME_RINVPASWD: { meaning: account, words: 'invalid password' },
  ESME_RINVSYSID: { meaning: account, words: 'invalid system id' },
  ESME_RCANCELFAIL: { meaning: rejected, words: 'cancel_sm failed' },
  ESME_RREPLACEFAIL: { meaning: rejected, words: 'replace_sm failed' },
  ESME_RMSGQFUL: { meaning: throttled, words: 'message queue full' },
  ESME_RINVSERTYP: { meaning: account, words: 'invalid service type' },
  ESME_RINVNUMDESTS: { meaning: rejected, words: 'invalid number of destinations' },
  ESME_RINVDLNAME: { meaning: recipient, words: 'invalid distribution list name' },
  ESME_RINVDESTFLAG: { meaning: recipient, words: 'destination flag is invalid' },
  ESME_RINVSUBREP: { meaning: rejected, words: 'invalid submit with replace request' },
  ESME_RINVESMCLASS: { meaning: content, words: 'invalid esm_class field data' },
  ESME_RCNTSUBDL: { meaning: recipient, words: 'cannot submit to distribution list' },
  ESME_RSUBMITFAIL: { meaning: rejected, words: 'submit_sm or submit_multi failed' },
  ESME_RINVSRCTON: { meaning: sender, words: 'invalid source address TON' },
  ESME_RINVSRCNPI: { meaning: sender, words: 'invalid source address NPI' },
  ESME_RINVDSTTON: { meaning: recipient, words: 'invalid destination address TON' },
  ESME_RINVDSTNPI: { meaning: recipient, words: 'invalid destination address NPI' },
  ESME_RINVSYSTYP: { meaning: account, words: 'invalid system_type field' },
  ESME_RINVREPFLAG: { meaning: rejected, words: 'invalid replace_if_present flag' },
  ESME_RINVNUMMSGS: { meaning: rejected, words: 'invalid number of messages' },
  ESME_RTHROTTLED: {
    meaning: throttled,
    words: 'throttling error (ESME has exceeded allowed message limits)',
  },
  ESME_RINVSCHED: { meaning: rejected, words: 'invalid scheduled delivery time' },
  ESME_RINVEXPIRY: { meaning: rejected, words: 'invalid message validity period (expiry time)' },
  ESME_RINVDFTMSGID: { meaning: content, words: 'predefined message invalid or not found' },
  ESME_RX_T_APPN: { meaning: retry, words: 'ESME receiver temporary app error code' },
  ESME_RX_P_APPN: { meaning: rejected, words: 'ESME receiver permanent app error code' },
  ESME_RX_R_APPN: { meaning: rejected, words: 'ESME receiver reject message error code' },
  ESME_RQUERYFAIL: { meaning: rejected, words: 'query_sm request failed' },
  ESME_RINVOPTPARSTREAM: { meaning: rejected, words: 'error in the optional part of the PDU body' },
  ESME_ROPTPARNOTALLWD: { meaning: rejected, words: 'optional parameter not allowed' },
  ESME_RINVPARLEN: { meaning: rejected, words: 'invalid parameter length' },
  ESME_RMISSINGOPTPARAM: { meaning: rejected, words: 'expected optional parameter missing' },
  ESME_RINVOPTPARAMVAL: { meaning: rejected, words: 'invalid optional parameter value' },
  ESME_RDELIVERYFAILURE: { meaning: undelivered, words: 'delivery failure (used for data_sm_resp)' },
  ESME_RUNKNOWNERR: { meaning: unknown, words: 'unknown error' },
};

const byCode: ReadonlyMap<
  number,
  { readonly name: string; readonly meaning: StatusMeaning; readonly words: string }
> = new Map(
  Object.entries(statusTable).map(([name, row]) => [statuses[name as StatusName], { name, ...row }]),
);

/**
 * The meaning of a status in the answer to a message. A reserved status, or one of the vendor (0x400 to 0x4ff), is `unknown`: nothing
 * says whether the message goes out.
 */
export function meaningOf(status: number): StatusMeaning {
  return byCode.get(status)?.meaning ?? unknown;
}

/**
 * The meaning of a status that refuses a bind. `account`: the tenant must act, because the credentials are wrong or the SMSC does not
 * know this kind of bind. Anything else may pass, such as a bind that another process still holds.
 */
export function bindMeaningOf(status: number): 'account' | 'retry' {
  return status === statuses.ESME_RINVCMDID || meaningOf(status).kind === 'account' ? 'account' : 'retry';
}

/** A status as the specification writes it, such as `0x58`. */
export function statusCode(status: number): string {
  return `0x${status.toString(16).padStart(2, '0')}`;
}

/** A status for people, such as `ESME_RTHROTTLED (0x58): throttling error…`. */
export function statusText(status: number): string {
  const code = statusCode(status);
  const row = byCode.get(status);
  return row === undefined ? `status ${code}` : `${row.name} (${code}): ${row.words}`;
}
