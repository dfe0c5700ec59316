-- So that the tables of companies can be distributed by company, while those for signing in stay on one machine.
-- Small: api_keys, api_key_uses, sessions

-- Leads from a key or session to its company, so that everything else is a statement about one company.
create table company_by_secret (
  hash bytea primary key,
  company_id uuid not null,
  -- After which no session can have this hash. Keys have none: a deleted key stays in the log.
  expires_at timestamptz
);
create index company_by_secret_by_expiry on company_by_secret (expires_at) where expires_at is not null;
insert into company_by_secret (hash, company_id, expires_at)
select key_hash, company_id, null from api_keys
union all
select token_hash, company_id, created_at + interval '30 days' from sessions;

alter table api_key_uses drop constraint api_key_uses_api_key_id_fkey;
alter table api_keys drop constraint api_keys_pkey, drop constraint api_keys_id_key;
alter table api_keys add primary key (company_id, id), add constraint api_keys_by_hash unique (company_id, key_hash);
alter table api_key_uses
  add foreign key (company_id, api_key_id) references api_keys (company_id, id) on delete cascade;
alter table sessions drop constraint sessions_pkey, drop constraint sessions_id_key;
alter table sessions add primary key (company_id, id), add constraint sessions_by_hash unique (company_id, token_hash);

-- Processes of 0.3.0 that run until they are replaced look for hashes alone, and add keys and sessions without noting them.
-- They also write users.last_seen_at. A later version drops what is only for them.
create index api_keys_by_hash_alone on api_keys (key_hash);
create index sessions_by_hash_alone on sessions (token_hash);
create function note_secret() returns trigger language plpgsql as $$ begin
  if tg_table_name = 'sessions' then
    insert into company_by_secret (hash, company_id, expires_at)
    values (new.token_hash, new.company_id, new.created_at + interval '30 days') on conflict do nothing;
  else
    insert into company_by_secret (hash, company_id) values (new.key_hash, new.company_id) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger note_secret after insert on api_keys for each row execute function note_secret();
create trigger note_secret after insert on sessions for each row execute function note_secret();

-- Every call reads `users`, so when they were last seen is in a table of its own.
create table user_visits (
  company_id uuid not null,
  user_id uuid not null,
  last_seen_at timestamptz not null,
  primary key (company_id, user_id),
  foreign key (company_id, user_id) references users (company_id, id) on delete cascade
);
insert into user_visits (company_id, user_id, last_seen_at)
select company_id, id, seen_at
from (
  select u.company_id, u.id, greatest(u.last_seen_at,
    (select max(s.last_seen_at) from sessions s where s.company_id = u.company_id and s.user_id = u.id),
    (select max(n.last_used_at) from api_keys k
      join api_key_uses n on n.company_id = k.company_id and n.api_key_id = k.id
      where k.company_id = u.company_id and k.user_id = u.id)) as seen_at
  from users u
) v
where seen_at is not null;

-- A foreign key cannot lead from a table on one machine to a distributed one. Users and companies are never deleted.
alter table account_links drop constraint account_links_company_id_user_id_fkey;
alter table passkeys drop constraint passkeys_company_id_user_id_fkey;
alter table pictures drop constraint pictures_company_id_fkey;
alter table sign_in_devices drop constraint sign_in_devices_company_id_user_id_fkey;
alter table sign_in_emails drop constraint sign_in_emails_company_id_user_id_fkey;
alter table sign_in_steps drop constraint sign_in_steps_company_id_user_id_fkey;

-- Distributed tables have no triggers. What adds or deletes files counts their bytes in the same transaction.
drop trigger files_added on files;
drop trigger files_removed on files;
drop function count_file_bytes();
