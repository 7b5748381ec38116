/**
 * Folds an email address to lower case exactly as Postgres does when it looks up the account. `lower()` converts each
 * character by itself, while JavaScript's `toLowerCase` makes two characters of İ and lets Σ depend on what follows.
 */
export function foldEmail(email: string): string {
  return Array.from(email, (character) => Array.from(character.toLowerCase())[0]).join('');
}
