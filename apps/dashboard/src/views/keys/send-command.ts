/** The shell command that sends a text message with this key. */
export function sendCommand(origin: string, key: string): string {
  return [
    `curl -X POST ${origin}/v1/notify/sms/text`,
    `-H 'X-Api-Key: ${key}'`,
    `-H 'Content-Type: application/json'`,
    `-d '{"to":"+14155550100","text":"Hello"}'`,
  ].join(' \\\n  ');
}
