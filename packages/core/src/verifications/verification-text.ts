/**
 * The text with a one-time code, by language. `brand` may be absent. English and Spanish follow the wording that Meta
 * publishes for authentication templates
 * (developers.facebook.com/documentation/business-messaging/whatsapp/templates/authentication-templates/template-previews).
 * No text addresses the reader more familiarly than that, and none declines the brand.
 */
const texts: Readonly<Record<string, (code: string, brand: string | null) => string>> = {
  en: (code, brand) =>
    brand === null ? `${code} is your verification code.` : `${code} is your ${brand} verification code.`,
  de: (code, brand) =>
    brand === null ? `${code} ist der Bestätigungscode.` : `${code} ist der Bestätigungscode für ${brand}.`,
  es: (code, brand) =>
    brand === null
      ? `Tu código de verificación es ${code}.`
      : `Tu código de verificación de ${brand} es ${code}.`,
  fr: (code, brand) =>
    brand === null
      ? `${code} est votre code de vérification.`
      : `${code} est votre code de vérification ${brand}.`,
  it: (code, brand) =>
    brand === null
      ? `${code} è il tuo codice di verifica.`
      : `${code} è il tuo codice di verifica per ${brand}.`,
  nl: (code, brand) =>
    brand === null ? `${code} is je verificatiecode.` : `${code} is je verificatiecode voor ${brand}.`,
  pt: (code, brand) =>
    brand === null
      ? `${code} é o seu código de verificação.`
      : `${brand}: ${code} é o seu código de verificação.`,
};

/** The languages that verifications have a text in. Every other one gets English. */
export const verificationLanguages: readonly string[] = Object.keys(texts);

/** The text of a verification in the language of a locale such as `de-AT`; in English if there is none. */
export function verificationText(locale: string | null, code: string, brand: string | null): string {
  const text = texts[languageOf(locale ?? '')] ?? texts['en']!;
  return text(code, brand);
}

/**
 * Of the languages that a template has (`de`, `pt_BR`), the one for a locale: the same, else its language alone, else
 * another form of its language, else English. Null if there is none of them.
 */
export function languageFor(locale: string | null, known: readonly string[]): string | null {
  const wanted = locale === null || languageOf(locale) === 'en' ? [locale ?? 'en'] : [locale, 'en'];
  for (const one of wanted) {
    const language = languageOf(one);
    const found =
      known.find((code) => normal(code) === normal(one)) ??
      known.find((code) => normal(code) === language) ??
      known.find((code) => languageOf(code) === language);
    if (found !== undefined) return found;
  }
  return null;
}

function normal(locale: string): string {
  return locale.replaceAll('_', '-').toLowerCase();
}

function languageOf(locale: string): string {
  return normal(locale).split('-')[0]!;
}
