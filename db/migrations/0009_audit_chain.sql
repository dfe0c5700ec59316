-- Each company's audit log is a hash chain: a sealed event holds a hash over its content and the hash before it.
-- Events are sealed in the background, in an order of their own, by the role that owns the tables.
alter table audit_events
  add column position bigint,
  -- When the run that sealed it began.
  add column sealed_at timestamptz,
  -- IP address and data are hashed separately, with a random key, so that they can be erased without breaking the chain.
  add column details_key bytea,
  add column details_hash bytea,
  add column hash bytea;
create unique index audit_events_by_position on audit_events (company_id, position) where position is not null;
create index audit_events_to_seal on audit_events (company_id, id) where position is null;

create table audit_chains (
  company_id uuid primary key references companies (id),
  -- The end of the chain.
  sealed_through bigint not null default 0,
  sealed_hash bytea not null default '',
  sealed_at timestamptz,
  -- The last run was not complete; the next step continues it.
  is_behind boolean not null default false,
  -- The beginning of the chain: retention removed everything up to here.
  removed_through bigint not null default 0,
  removed_hash bytea not null default '',
  removed_at timestamptz
);
