/** The fields of a receipt in text form (SMPP 3.4, appendix B). A field that the text lacks is null. */
export interface ReceiptText {
  readonly id: string | null;
  /** `stat`, in capitals, such as `DELIVRD`. */
  readonly state: string | null;
  /** `err`, as the SMSC writes it. */
  readonly error: string | null;
}

/** The field that ends a receipt: the beginning of the message, which may look like fields. */
const messageText = /(?:^|[\s,;])text\s*:/i;

/**
 * Reads the text form `id:… sub:… dlvrd:… submit date:… done date:… stat:… err:… text:…`. SMSCs differ: in case, order and separators,
 * with a space after the colon, and with fields left out.
 */
export function readReceiptText(text: string): ReceiptText {
  const end = messageText.exec(text)?.index ?? text.length;
  const fields = text.slice(0, end);
  return {
    id: fieldIn(fields, 'id'),
    state: fieldIn(fields, 'stat(?:us|e)?')?.toUpperCase() ?? null,
    error: fieldIn(fields, 'err(?:or)?'),
  };
}

/** A field that follows at once, because the one before it is empty. */
const nextField = '(?!(?:id|sub|dlvrd|submit[ _]?date|done[ _]?date|stat(?:us|e)?|err(?:or)?)\\s*:)';

function fieldIn(fields: string, name: string): string | null {
  const field = new RegExp(`(?:^|[\\s,;])${name}\\s*:\\s*${nextField}([^\\s,;]+)`, 'i');
  return field.exec(fields)?.[1] ?? null;
}
