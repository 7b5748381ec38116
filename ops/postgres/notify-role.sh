#!/bin/sh
# Creates the role `notify`, which may use its own database and nothing else, and that database. Postgres runs this when its
# volume is new. Run by hand, it also changes the role's password, and takes over an installation that used the superuser
# and the database `postgres` (docs/docker.md). It can be repeated.
set -eu

# NOTIFY_PASSWORD is read from the environment, because the process list shows arguments.
psql -v ON_ERROR_STOP=1 --no-psqlrc --quiet --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'END'
\getenv password NOTIFY_PASSWORD
select 'create role notify' where to_regrole('notify') is null \gexec
alter role notify with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'password';

-- A database cannot be renamed while somebody uses it, so this leaves it.
select to_regclass('public.messages') is not null
  and not exists (select from pg_database where datname = 'notify') as is_earlier \gset
\c template1
\if :is_earlier
  alter database postgres rename to notify;
  create database postgres;
\endif
select 'create database notify' where not exists (select from pg_database where datname = 'notify') \gexec
alter database notify owner to notify;
revoke all on database notify from public;

-- Everything that an earlier installation has made belongs to the superuser. A sequence of a column follows its table.
\c notify
select format('alter schema %I owner to notify', nspname) from pg_namespace where nspname = 'bullmq' \gexec
select format('alter %s %s owner to notify', case relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end, oid::regclass)
  from pg_class where relnamespace in ('public'::regnamespace, to_regnamespace('bullmq')) and relkind in ('r', 'p', 'v', 'S')
  and relowner <> 'notify'::regrole
  and not exists (select from pg_depend where objid = pg_class.oid and deptype in ('a', 'i') and relkind = 'S') \gexec
select format('alter routine %s owner to notify', oid::regprocedure)
  from pg_proc where pronamespace in ('public'::regnamespace, to_regnamespace('bullmq')) and proowner <> 'notify'::regrole \gexec
select format('alter type %s owner to notify', oid::regtype)
  from pg_type where typnamespace in ('public'::regnamespace, to_regnamespace('bullmq')) and typtype in ('e', 'd')
  and typowner <> 'notify'::regrole \gexec
END
