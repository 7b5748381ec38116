import type { InteractiveContent, ListSection } from '@notify/core';

/**
 * The `interactive` of a message (developers.facebook.com/docs/whatsapp/cloud-api, "interactive-reply-buttons-messages",
 * "interactive-list-messages" and "interactive-cta-url-messages"). The limits have been checked.
 */
export function interactiveObject(content: InteractiveContent): object {
  const { text, header, footer } = content;
  return {
    ...(header === undefined ? {} : { header: { type: 'text', text: header } }),
    body: { text },
    ...(footer === undefined ? {} : { footer: { text: footer } }),
    ...actionOf(content),
  };
}

function actionOf({ buttons = [], list }: InteractiveContent): object {
  if (list !== undefined)
    return { type: 'list', action: { button: list.button, sections: list.sections.map(sectionOf) } };
  const link = buttons.find((button) => 'url' in button);
  if (link !== undefined)
    return {
      type: 'cta_url',
      action: { name: 'cta_url', parameters: { display_text: link.title, url: link.url } },
    };
  const replies = buttons.filter((button) => 'id' in button);
  return {
    type: 'button',
    action: { buttons: replies.map(({ id, title }) => ({ type: 'reply', reply: { id, title } })) },
  };
}

function sectionOf({ title, rows }: ListSection): object {
  return { ...(title === undefined ? {} : { title }), rows };
}
