-- Records that may be the same share a key. Only live records have keys.
create table duplicate_keys (
  company_id uuid not null,
  key bigint not null,
  record_id uuid not null,
  primary key (company_id, key, record_id)
);

-- Pairs of records that are probably the same, in both directions.
create table duplicate_pairs (
  company_id uuid not null,
  object_id uuid not null,
  record_id uuid not null,
  other_id uuid not null,
  score smallint not null,
  reasons text[] not null,
  found_at timestamptz not null,
  -- Set once someone has said that they are not the same.
  dismissed_at timestamptz,
  dismissed_by uuid,
  primary key (company_id, record_id, other_id)
);
create index duplicate_pairs_open on duplicate_pairs (company_id, object_id, record_id, other_id, score)
  where dismissed_at is null;
create index duplicate_pairs_dismissed on duplicate_pairs (company_id, object_id, dismissed_at)
  where dismissed_at is not null;

-- With an older version than that of the program, all keys and pairs are made again in the background.
alter table companies add column duplicate_version int not null default 0;
