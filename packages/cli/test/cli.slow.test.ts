import { afterAll, beforeAll, describe } from '@jest/globals';
import { accountTests } from './commands/accounts.ts';
import { completionTests } from './commands/completion.ts';
import { endingTests } from './commands/endings.ts';
import { failureTests } from './commands/failures.ts';
import { type Harness, openHarness } from './harness.ts';
import { keyTests } from './commands/keys.ts';
import { loginTests } from './commands/login.ts';
import { messageTests } from './commands/messages.ts';
import { outputTests } from './commands/output.ts';
import { verifyTests } from './commands/verify.ts';
import { webhookTests } from './commands/webhooks.ts';

// One service for all of them: starting it takes longer than most of the tests.
let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.stop());

const opened = (): Harness => harness;

describe('login', () => {
  loginTests(opened);
});
describe('send and messages', () => {
  messageTests(opened);
});
describe('webhooks', () => {
  webhookTests(opened);
});
describe('accounts, templates, consent and conversations', () => {
  accountTests(opened);
});
describe('one-time codes', () => {
  verifyTests(opened);
});
describe('keys and usage', () => {
  keyTests(opened);
});
describe('output', () => {
  outputTests(opened);
});
describe('failures', () => {
  failureTests(opened);
});
describe('signals and pipes', () => {
  endingTests(opened);
});
describe('completion', () => {
  completionTests(opened);
});
