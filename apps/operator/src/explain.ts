import { formatId } from '@notify/core';
import { findMessageOf, readMessageFacts } from '@notify/db/explanations';
import { explain, wordsOf } from '@notify/operations/explain';
import { type Command, CommandError } from './command.ts';
import { safeLine } from './safe-text.ts';

export const explainCommand: Command = {
  name: 'explain',
  words: ['message'],
  options: {},
  about:
    'Explains why a message is waiting, sent or failed: what holds it up, until when, and what its webhooks wait for. Takes msg_… or the evt_… of one of its events.',
  async run({ words: [wanted = ''] }, { db, queueAnswers }) {
    const id = await findMessageOf(db, wanted);
    const facts = id === null ? null : await readMessageFacts(db, 'anybody', id);
    if (facts === null) throw new CommandError(`no such message: ${safeLine(wanted)}`);
    const explanation = explain(facts);
    const isUntaken = explanation.reasons.some(({ code }) => code === 'not-taken');
    const answers = isUntaken ? await queueAnswers() : null;
    const { message } = facts.history;
    const value = {
      id: formatId('msg', message.id),
      tenantId: formatId('ten', message.tenant_id),
      accountId: message.channel_account_id,
      status: message.received_at === null ? message.status : 'received',
      at: facts.now,
      reasons: explanation.reasons,
      queueAnswers: answers,
      deliveries: facts.deliveries.map(({ delivery }) => ({
        id: formatId('dlv', delivery.id),
        webhookId: formatId('wh', delivery.webhookId),
        eventId: formatId('evt', delivery.eventId),
        event: delivery.event,
        ...explanation.deliveries.get(delivery.id),
      })),
    };
    const queue =
      answers === null ? '' : `\n\nThe queue ${answers ? 'answers' : 'does not answer'} from here.`;
    return { value, text: `${wordsOf(facts, explanation)}${queue}` };
  },
};
