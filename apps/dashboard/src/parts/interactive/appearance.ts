import {
  type InteractiveContent,
  type ListSection,
  numberedText,
  type ReplyButton,
  textAboveButtons,
  type UrlButton,
} from '@notify/core';

/** A button below a text. One with an address opens it. */
export interface DrawnButton {
  readonly title: string;
  /** Null for a button whose press comes back. */
  readonly url: string | null;
}

/** What the recipient sees of buttons or a list. */
export interface Appearance {
  readonly header: string | null;
  readonly text: string;
  readonly footer: string | null;
  readonly buttons: readonly DrawnButton[];
  /** A list that a button opens. Null where there is none, and where its rows are buttons. */
  readonly list: { readonly button: string; readonly sections: readonly ListSection[] } | null;
}

/** How a content looks on a channel: Telegram has neither headers nor footers nor lists, so the text says them there. */
export function appearanceOf(content: InteractiveContent, channel: string): Appearance {
  if (channel === 'telegram')
    return {
      header: null,
      text: textAboveButtons(content),
      footer: null,
      buttons: [...drawn(content.buttons), ...drawn(content.list?.sections.flatMap(({ rows }) => rows))],
      list: null,
    };
  return {
    header: content.header ?? null,
    text: content.text,
    footer: content.footer ?? null,
    buttons: drawn(content.buttons),
    list: content.list ?? null,
  };
}

/** How a content looks where there are no buttons. */
export function numberedAppearance(content: InteractiveContent): Appearance {
  return textAppearance(numberedText(content));
}

/** How a plain text looks. */
export function textAppearance(text: string): Appearance {
  return { header: null, text, footer: null, buttons: [], list: null };
}

function drawn(buttons: readonly (ReplyButton | UrlButton)[] = []): DrawnButton[] {
  return buttons.map((button) => ({ title: button.title, url: 'url' in button ? button.url : null }));
}
