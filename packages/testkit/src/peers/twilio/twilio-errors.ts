/** The errors of the peer with their status and message (twilio.com/docs/api/errors). */
const errors: Readonly<Record<number, readonly [status: number, message: string]>> = {
  20003: [401, 'Authenticate'],
  20404: [404, 'The requested resource was not found'],
  20429: [429, 'Too Many Requests'],
  20500: [500, 'An internal server error has occurred'],
  20503: [503, 'Service unavailable'],
  21211: [400, "Invalid 'To' Phone Number"],
  21212: [400, "Invalid 'From' Number"],
  21214: [400, "'To' phone number cannot be reached"],
  21217: [400, "'To' phone number does not appear to be valid"],
  21408: [403, 'Permission to send an SMS has not been enabled for the region'],
  21602: [400, 'Message body is required.'],
  21603: [400, "A 'From' phone number is required."],
  21606: [400, "The 'From' phone number is not a valid, SMS-capable number for your account."],
  21609: [400, "The 'StatusCallback' URL is not a valid URL."],
  21610: [400, 'Attempt to send to unsubscribed recipient'],
  21611: [400, "This 'From' number has exceeded the maximum number of queued messages"],
  21612: [400, "Message cannot be sent with the current combination of 'To' and/or 'From' parameters"],
  21614: [400, "'To' number is not a valid mobile number"],
  21617: [400, 'The concatenated message body exceeds the 1600 character limit.'],
  20001: [400, 'Unknown parameters'],
  21624: [400, 'Invalid validity period value'],
  21654: [400, 'ContentSid Required'],
  21655: [400, 'The ContentSid is Invalid'],
  21656: [400, 'The ContentVariables Parameter is invalid'],
  21658: [400, 'Parameter exceeded character limit'],
  21659: [400, "'From' is not a Twilio phone number or Short Code country mismatch"],
  21711: [400, 'The sender is not associated to the specified Messaging Service'],
  30002: [400, 'Account suspended'],
};

/** A refusal as Twilio writes it. An unknown code is a 400. */
export class TwilioError extends Error {
  readonly code: number;
  readonly status: number;

  constructor(code: number) {
    const [status, message] = errors[code] ?? [400, `Error ${code}`];
    super(message);
    this.name = 'TwilioError';
    this.code = code;
    this.status = status;
  }

  get document(): object {
    const more = `https://www.twilio.com/docs/errors/${this.code}`;
    return { code: this.code, message: this.message, more_info: more, status: this.status };
  }
}

/** Numbers that stand for an error, as in Twilio's test credentials. */
export const magicRecipients: ReadonlyMap<string, number> = new Map([
  ['+15005550001', 21211],
  ['+15005550002', 21612],
  ['+15005550003', 21408],
  ['+15005550004', 21610],
  ['+15005550009', 21614],
]);
export const magicSenders: ReadonlyMap<string, number> = new Map([
  ['+15005550001', 21212],
  ['+15005550007', 21606],
  ['+15005550008', 21611],
]);
