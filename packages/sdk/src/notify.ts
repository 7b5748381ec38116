import { type NotifyOptions, resolveConfig } from './config.ts';
import { ApiKeys } from './groups/api-keys.ts';
import { ChannelAccounts } from './groups/channel-accounts.ts';
import { ConsentList } from './groups/consent.ts';
import { ConversationList } from './groups/conversations.ts';
import { EventList } from './groups/events.ts';
import { Files } from './groups/files.ts';
import { Groups } from './groups/groups.ts';
import { KeyConversations } from './groups/key-conversations.ts';
import { Messages } from './groups/messages.ts';
import { Providers } from './groups/providers.ts';
import { ServiceTokens } from './groups/service-tokens.ts';
import { Templates } from './groups/templates.ts';
import { TenantFiles } from './groups/tenant-files.ts';
import { TenantGroups } from './groups/tenant-groups.ts';
import { TenantMessages } from './groups/tenant-messages.ts';
import { TenantVerifications } from './groups/tenant-verifications.ts';
import { UsageReport } from './groups/usage.ts';
import { VerificationLimits } from './groups/verification-limits.ts';
import { Verifications } from './groups/verifications.ts';
import { Webhooks } from './groups/webhooks.ts';
import { openTransport } from './transport/transport.ts';

/**
 * The client: a group for each part of the interface, a method for each operation.
 *
 * A call rejects with an `ApiError` if the service refuses it, with a `ConnectionError` if the service gives no complete
 * answer, and with the signal's reason if the caller ends it. Before that it is tried again where that is safe: reading,
 * PUT and DELETE, and sends, which have an idempotency key; other calls only after 429.
 */
export class Notify {
  readonly messages: Messages;
  readonly files: Files;
  readonly groups: Groups;
  readonly tenantMessages: TenantMessages;
  readonly tenantFiles: TenantFiles;
  readonly tenantGroups: TenantGroups;
  readonly tenantVerifications: TenantVerifications;
  readonly webhooks: Webhooks;
  readonly events: EventList;
  readonly channelAccounts: ChannelAccounts;
  readonly templates: Templates;
  readonly providers: Providers;
  readonly conversations: ConversationList;
  readonly keyConversations: KeyConversations;
  readonly consent: ConsentList;
  readonly apiKeys: ApiKeys;
  readonly serviceTokens: ServiceTokens;
  readonly usage: UsageReport;
  readonly verifications: Verifications;
  readonly verificationLimits: VerificationLimits;

  /** Throws `ConfigurationError` without a base URL, and if a key and a token are interchanged. */
  constructor(options: NotifyOptions = {}) {
    const transport = openTransport(resolveConfig(options));
    this.messages = new Messages(transport);
    this.files = new Files(transport);
    this.groups = new Groups(transport);
    this.tenantMessages = new TenantMessages(transport);
    this.tenantFiles = new TenantFiles(transport);
    this.tenantGroups = new TenantGroups(transport);
    this.tenantVerifications = new TenantVerifications(transport);
    this.webhooks = new Webhooks(transport);
    this.events = new EventList(transport);
    this.channelAccounts = new ChannelAccounts(transport);
    this.templates = new Templates(transport);
    this.providers = new Providers(transport);
    this.conversations = new ConversationList(transport);
    this.keyConversations = new KeyConversations(transport);
    this.consent = new ConsentList(transport);
    this.apiKeys = new ApiKeys(transport);
    this.serviceTokens = new ServiceTokens(transport);
    this.usage = new UsageReport(transport);
    this.verifications = new Verifications(transport);
    this.verificationLimits = new VerificationLimits(transport);
  }
}
