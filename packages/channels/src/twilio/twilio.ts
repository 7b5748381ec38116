import { chooseSender } from '@notify/core';
import type { Provider } from '../adapter/channel.ts';
import { splitText } from '../requests/split-text.ts';
import { withSender } from '../settings/senders.ts';
import { readAnswer } from './answer.ts';
import { readCallback } from './callbacks.ts';
import { contentFields } from './content-message.ts';
import { guide } from './guide.ts';
import { listContents } from './list-contents.ts';
import { openFile } from './open-file.ts';
import { sendingRequest } from './request.ts';
import { checkTwilio, settings, type TwilioSettings } from './settings.ts';
import { verifyTwilio } from './verify.ts';

const callDeadlineMs = 15_000;

/** The longest `Body` that Twilio accepts; Twilio splits it into segments. */
const maxBodyLength = 1_600;

/** SMS by Twilio's Programmable Messaging. */
export const twilio: Provider<TwilioSettings> = {
  id: 'twilio',
  channel: 'sms',
  name: 'Twilio',
  baseUrl: 'https://api.twilio.com',
  capabilities: {
    media: false,
    reportsDelivery: true,
    reportsRead: false,
    repeatIsSafe: false,
    callbacks: true,
    inbound: true,
    maxInFlight: 20,
    callDeadlineMs,
  },
  guide,
  settings,
  check: checkTwilio,
  pace: ({ ratePerSecond = 1 }) => ({ perSecond: ratePerSecond }),
  split: (text, _, cut) => splitText(text, maxBodyLength, cut),
  async send(request, { settings, http, baseUrl, signal }) {
    const content = contentFields(request);
    if ('refusal' in content) return content.refusal;
    const sender = chooseSender({ from: undefined, ...settings }, request.to);
    const httpRequest = sendingRequest(baseUrl, settings, sender.from, request, content.fields);
    const result = await http.request({ ...httpRequest, signal, deadlineMs: callDeadlineMs });
    return withSender(readAnswer(result, settings, request, sender), settings, sender);
  },
  listTemplates: listContents,
  verify: (context) => verifyTwilio(context, callDeadlineMs),
  openFile,
  parseCallback: readCallback,
};
