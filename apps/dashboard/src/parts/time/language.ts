/** The language of the page. Dates and figures are written in it, whatever the language of the browser is. */
export const language = typeof document === 'undefined' ? 'en' : document.documentElement.lang;
