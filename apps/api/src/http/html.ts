/** Text that is already HTML. */
export interface Html {
  readonly html: string;
}

/** A template tag. It escapes every value except Html, and joins the items of an array. */
export function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Html {
  const texts = values.map((value) => (Array.isArray(value) ? value : [value]).map(escape).join(''));
  return { html: parts.map((part, index) => part + (texts[index] ?? '')).join('') };
}

function escape(value: unknown): string {
  if (isHtml(value)) return value.html;
  return String(value)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function isHtml(value: unknown): value is Html {
  return typeof value === 'object' && value !== null && 'html' in value;
}

/** Text with its `code` in backticks as HTML. */
export function prose(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

/** A whole page around its content. `head` is what its head has beside the title and the style sheet. */
export function page(title: string, content: Html, head: Html = html``): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="/docs/style.css" />
        ${head}
      </head>
      <body>
        ${content}
      </body>
    </html> `.html;
}
