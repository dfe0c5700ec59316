-- Who uses a key: one row a key, client and day, written behind the answers in batches.
create table api_key_uses (
  company_id uuid not null,
  api_key_id uuid not null references api_keys (id) on delete cascade,
  day date not null,
  client text not null,
  calls int not null,
  last_used_at timestamptz not null,
  last_ip text not null,
  primary key (company_id, api_key_id, day, client)
);

-- The key that a newer one is meant to replace.
alter table api_keys add column replaces_id uuid;
