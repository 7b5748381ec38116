// One key for all spellings of a recipient. Compatible from version 0.1.0, which tells spellings apart.
import { type Kysely, type RawBuilder, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { consents: 'access exclusive', moved_contacts: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // The rules of `contactKey` and `contactKeys` in core, which explains them. Postgres inlines both functions.
  await sql`
    create function contact_key(channel text, address text) returns text language sql immutable parallel safe
    return case
      when channel = 'telegram' then case when left(address, 1) = '@' then lower(address collate "C") else address end
      when ltrim(address, '+') like '55%'
        then regexp_replace(ltrim(address, '+'), '^55([1-9][1-9])([6-9][0-9]{7})$', '55\\19\\2')
      when ltrim(address, '+') like '52%' then regexp_replace(ltrim(address, '+'), '^521([0-9]{10})$', '52\\1')
      when ltrim(address, '+') like '54%' then regexp_replace(ltrim(address, '+'), '^54([1-3][0-9]{9})$', '549\\1')
      when ltrim(address, '+') like '229%' then regexp_replace(ltrim(address, '+'), '^229([0-9]{8})$', '22901\\1')
      else ltrim(address, '+')
    end`.execute(db);
  // The keys under which rows may be, of a key: to processes of the version before, each spelling has its own.
  await sql`
    create function contact_keys(channel text, key text) returns text[] language sql immutable parallel safe
    return case
      when channel = 'telegram' then array[key]
      when key ~ '^55[1-9][1-9]9[6-9][0-9]{7}$' then array[key, left(key, 4) || substr(key, 6)]
      when key ~ '^52[0-9]{10}$' then array[key, '521' || substr(key, 3)]
      when key ~ '^549[1-3][0-9]{9}$' then array[key, '54' || substr(key, 4)]
      when key ~ '^22901[0-9]{8}$' then array[key, '229' || substr(key, 6)]
      else array[key]
    end`.execute(db);

  // The recipient of a message as its first request wrote it. Not inlined, so the statement that accepts messages does not plan it.
  await sql`
    create function message_recipient(message_id uuid) returns text language sql stable parallel safe
    return (select m.recipient from messages m where m.id = message_recipient.message_id)`.execute(db);

  // The rows of one person become one: of consents the newest counts, and conversations are joined. `suppressions` may keep a
  // row for each spelling. Claims of either version find theirs.
  await sql`
    with spelled as (
      select c.account_id, c.recipient, row_number() over (
        partition by c.account_id, contact_key(a.channel, c.recipient) order by c.changed_at desc, c.recipient
      ) as place
      from consents c join channel_accounts a on a.id = c.account_id where ${mayDiffer('c.recipient')}
    )
    delete from consents c using spelled s
    where c.account_id = s.account_id and c.recipient = s.recipient and s.place > 1`.execute(db);
  await sql`
    delete from suppressions s using consents c join channel_accounts a on a.id = c.account_id
    where ${mayDiffer('c.recipient')} and c.status = 'opted-in' and s.account_id = c.account_id
      and s.recipient = any (contact_keys(a.channel, contact_key(a.channel, c.recipient)))`.execute(db);
  // Usernames were stored with their capitals. Processes of the version before look for those, so they stay.
  await sql`
    delete from suppressions s using consents c
    where left(s.recipient, 1) = '@' and left(c.recipient, 1) = '@' and c.status = 'opted-in'
      and s.account_id = c.account_id and contact_key('telegram', s.recipient) = contact_key('telegram', c.recipient)`.execute(
    db,
  );
  await sql`
    insert into suppressions (account_id, recipient, created_at)
    select account_id, contact_key('telegram', recipient), min(created_at) from suppressions
    where left(recipient, 1) = '@' group by 1, 2
    on conflict do nothing`.execute(db);
  await sql`
    update consent_changes c set recipient = contact_key(a.channel, c.recipient) from channel_accounts a
    where a.id = c.account_id and ${differs('c.recipient')}`.execute(db);

  await sql`
    create temporary table joined on commit drop as
    select * from (
      select c.id, first_value(c.id) over (
        partition by c.account_id, contact_key(a.channel, c.contact) order by c.created_at, c.id
      ) as kept
      from conversations c join channel_accounts a on a.id = c.account_id where ${mayDiffer('c.contact')}
    ) spelled where id <> kept`.execute(db);
  await sql`
    with gone as (
      delete from conversation_messages m using joined j where m.conversation_id = j.id
      returning j.kept, m.message_id, m.inbound
    )
    insert into conversation_messages (conversation_id, message_id, inbound) select * from gone
    on conflict do nothing`.execute(db);
  await sql`
    with gone as (delete from conversations c using joined j where c.id = j.id returning j.kept, c.*),
    newest as (
      select kept, (array_agg(latest_id order by latest_id desc))[1] as latest_id,
        max(last_inbound_at) as last_inbound_at,
        (array_agg(read_through order by read_through desc nulls last))[1] as read_through,
        (array_agg(profile order by latest_id desc) filter (where profile is not null))[1] as profile,
        (array_agg(address order by last_inbound_at desc nulls last))[1] as address
      from gone group by kept
    )
    update conversations c set
      latest_id = greatest(c.latest_id, n.latest_id),
      address = case when n.last_inbound_at > coalesce(c.last_inbound_at, '-infinity') then n.address else c.address end,
      last_inbound_at = greatest(c.last_inbound_at, n.last_inbound_at),
      read_through = greatest(c.read_through, n.read_through),
      profile = coalesce(c.profile, n.profile)
    from newest n where c.id = n.kept`.execute(db);
  await sql`
    update conversations c set contact = contact_key(a.channel, c.contact) from channel_accounts a
    where a.id = c.account_id and ${differs('c.contact')}`.execute(db);

  // Moves and contacts of linked devices are added under the new key, or get it.
  await sql`
    insert into moved_contacts (account_id, contact, address, moved_at)
    select c.account_id, contact_key(a.channel, c.contact), c.address, c.moved_at
    from moved_contacts c join channel_accounts a on a.id = c.account_id where ${differs('c.contact')}
      and contact_key(a.channel, c.address) <> contact_key(a.channel, c.contact)
    on conflict do nothing`.execute(db);
  await sql`
    update pairings c set contact = contact_key(a.channel, c.contact) from channel_accounts a
    where a.id = c.account_id and ${differs('c.contact')}`.execute(db);
  await sql`
    update whatsapp_contacts c set recipient = contact_key('whatsapp', c.recipient)
    where c.recipient <> contact_key('whatsapp', c.recipient) and not exists (
      select from whatsapp_contacts o
      where o.account_id = c.account_id and o.recipient = contact_key('whatsapp', c.recipient)
    )`.execute(db);
  // The version before asked for one spelling only. If WhatsApp did not know that one, it is asked again.
  await sql`
    update whatsapp_contacts c set jid = o.jid, checked_at = o.checked_at from whatsapp_contacts o
    where c.jid is null and o.jid is not null and o.account_id = c.account_id and o.recipient <> c.recipient
      and c.recipient = contact_key('whatsapp', o.recipient)`.execute(db);
  await sql`
    update whatsapp_contacts set checked_at = '-infinity' where jid is null
      and cardinality(contact_keys('whatsapp', contact_key('whatsapp', recipient))) > 1`.execute(db);

  // Last, because sends and settlements wait from here to the end. Whether a provider told the two addresses of one person, or the
  // person moved from one to the other.
  await sql`alter table moved_contacts add column told boolean not null default false`.execute(db);
  // The address in the spelling in which it came; null in rows of the
  // version before, whose key it is.
  await sql`alter table consents add column address text`.execute(db);
  await sql`
    update consents c set recipient = contact_key(a.channel, c.recipient), address =
      case when a.channel <> 'telegram' and c.recipient ~ '^[0-9]+$' then '+' || c.recipient else c.recipient end
    from channel_accounts a where a.id = c.account_id and ${differs('c.recipient')}`.execute(db);
}

/** Whether the key of a row of `c`, an account `a`, is a spelling of another key. */
function differs(column: string): RawBuilder<boolean> {
  return sql`${sql.ref(column)} <> contact_key(a.channel, ${sql.ref(column)})`;
}

/** Whether rows of the same person may have other keys. */
function mayDiffer(column: string): RawBuilder<boolean> {
  const key = sql.ref(column);
  return sql`(left(${key}, 1) = '@' or cardinality(contact_keys(a.channel, contact_key(a.channel, ${key}))) > 1)`;
}
