// Inbound messages, conversations, consent and pairings. Compatible from version 0.1.0, which receives no messages.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { channel_accounts: 'share row exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // What is known of a recipient's consent, and how it came to be. Claims read only `suppressions`, which holds those who
  // opted out. `change_id` is the newest row of `consent_changes`, and `said_at` is when the person wrote the newest word,
  // as the provider says. The keys to the accounts come last: adding one keeps changes of accounts waiting until the end,
  // and a copy of many rows takes a while. 0027 checks the copied rows.
  await sql`
    create table consents (
      account_id uuid not null,
      recipient text not null,
      tenant_id uuid not null,
      status text not null check (status in ('opted-out', 'opted-in')),
      source text not null check (source in ('keyword', 'provider', 'api', 'earlier')),
      change_id uuid not null,
      changed_at timestamptz not null default now(),
      said_at timestamptz,
      primary key (account_id, recipient)
    ) with (fillfactor = 80)`.execute(db);
  await sql`create index consents_newest on consents (account_id, status, change_id)`.execute(db);
  await sql`
    create table consent_changes (
      id uuid primary key,
      tenant_id uuid not null,
      account_id uuid not null,
      recipient text not null,
      status text not null check (status in ('opted-out', 'opted-in', 'removed')),
      source text not null check (source in ('keyword', 'provider', 'api', 'earlier')),
      message_id uuid,
      changed_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index consent_changes_recipient on consent_changes (account_id, recipient, id)`.execute(
    db,
  );
  await sql`
    with earlier as (
      insert into consent_changes (id, tenant_id, account_id, recipient, status, source, changed_at)
      select uuidv7(), a.tenant_id, s.account_id, s.recipient, 'opted-out', 'earlier', s.created_at
      from suppressions s join channel_accounts a on a.id = s.account_id
      returning *
    )
    insert into consents (account_id, recipient, tenant_id, status, source, change_id, changed_at)
    select account_id, recipient, tenant_id, status, source, id, changed_at from earlier`.execute(db);

  // One row per account and contact that wrote or paired. `contact` is the address as consent compares it: a phone number
  // by its digits, any other unchanged. `address` is what a send takes. `latest_id` orders the list: the id of the newest
  // message, or one made when the contact paired. The last five columns notice two programs that answer each other.
  await sql`
    create table conversations (
      id uuid primary key,
      tenant_id uuid not null,
      account_id uuid not null,
      channel text not null,
      contact text not null,
      address text not null,
      profile json,
      latest_id uuid not null,
      last_inbound_at timestamptz,
      read_through uuid,
      created_at timestamptz not null default now(),
      burst_began_at timestamptz,
      burst_in integer not null default 0,
      burst_out integer not null default 0,
      slow_until timestamptz,
      next_send_at timestamptz
    ) with (fillfactor = 70)`.execute(db);
  await sql`create unique index conversations_contact on conversations (account_id, contact)`.execute(db);
  await sql`create index conversations_latest on conversations (tenant_id, latest_id)`.execute(db);
  await sql`create index conversations_account_latest on conversations (account_id, latest_id)`.execute(db);
  await sql`create index conversations_slowed on conversations (account_id, slow_until) where slow_until is not null`.execute(
    db,
  );

  // The messages of conversations, in both directions. Separate from messages, so that a send to anyone else writes
  // nothing here.
  await sql`
    create table conversation_messages (
      conversation_id uuid not null,
      message_id uuid not null,
      inbound boolean not null,
      primary key (conversation_id, message_id)
    ) partition by range (message_id)`.execute(db);
  await sql`
    create index conversation_messages_inbound on conversation_messages (conversation_id, message_id) where inbound`.execute(
    db,
  );

  // Contacts with a new address, by the key of the old one. Sends to the old one go to the new one.
  await sql`
    create table moved_contacts (
      account_id uuid not null references channel_accounts on delete cascade,
      contact text not null,
      address text not null,
      moved_at timestamptz not null default now(),
      primary key (account_id, contact)
    )`.execute(db);
  await sql`create index moved_contacts_address on moved_contacts (account_id, address)`.execute(db);

  // The provider's ids of the last 30 days. Not partitioned, because a unique key cannot span partitions.
  await sql`
    create table inbound_seen (
      account_id uuid not null,
      external_id text not null,
      message_id uuid not null,
      seen_at timestamptz not null default now(),
      primary key (account_id, external_id)
    ) with (fillfactor = 90)`.execute(db);
  await sql`create index inbound_seen_age on inbound_seen using brin (seen_at)`.execute(db);

  // Pieces of long texts that wait for the others. `message` is the piece as the adapter read it.
  await sql`
    create table inbound_pieces (
      account_id uuid not null,
      reference text not null,
      piece smallint not null,
      pieces smallint not null,
      external_id text not null,
      message json not null,
      received_at timestamptz not null default now(),
      primary key (account_id, reference, piece)
    )`.execute(db);
  await sql`create index inbound_pieces_age on inbound_pieces (received_at)`.execute(db);

  // Links that tie a chat to what the tenant named. `hash` is the SHA-256 of the link's payload. `contact`: the chat that
  // used it.
  await sql`
    create table pairings (
      hash bytea primary key,
      tenant_id uuid not null,
      account_id uuid not null references channel_accounts on delete cascade,
      reference text not null,
      contact text,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index pairings_account on pairings (account_id, expires_at)`.execute(db);

  for (const table of ['consents', 'consent_changes'])
    await sql`
      alter table ${sql.table(table)} add constraint ${sql.ref(`${table}_account_id_fkey`)}
        foreign key (account_id) references channel_accounts on delete cascade not valid`.execute(db);

  // The body of an event about a contact, and the part that an inbound message adds to the body of a message's event.
  await sql`
    create function contact_event_body(
      event_id uuid, event text, occurred_at timestamptz, tenant_id uuid, account_id uuid, provider text, contact text,
      extra jsonb
    ) returns text language sql stable as $$
      select '{"event":"' || event || '","messageId":null,"id":"evt_' || event_id || '","tenantId":"ten_' || tenant_id
        || '","channelAccountId":"' || account_id || '","provider":' || to_json(provider)::text
        || ',"to":' || to_json(contact)::text
        || coalesce(',' || nullif(substr(left(extra::text, -1), 2), ''), '')
        || ',"occurredAt":"' || to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        || '","sequence":null}'
    $$`.execute(db);
  await sql`
    create function received_event_body(
      event_id uuid, occurred_at timestamptz, message_id uuid, tenant_id uuid, account_id uuid, provider text,
      sender text, recipient text, type text, body json, contact json, reply_to uuid, external_id text
    ) returns text language sql stable as $$
      select '{"event":"message.received","messageId":"msg_' || message_id || '","id":"evt_' || event_id
        || '","tenantId":"ten_' || tenant_id || '","channelAccountId":"' || account_id
        || '","provider":' || to_json(provider)::text || ',"direction":"inbound","from":' || to_json(sender)::text
        || ',"to":' || coalesce(to_json(recipient)::text, 'null') || ',"type":' || to_json(type)::text
        || ',"body":' || body::text || ',"contact":' || coalesce(contact::text, 'null')
        || ',"replyTo":' || coalesce('"msg_' || reply_to || '"', 'null')
        || ',"status":"delivered","externalId":' || to_json(external_id)::text
        || ',"errorCode":null,"possibleDuplicate":false,"occurredAt":"'
        || to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","sequence":1}'
    $$`.execute(db);
}
