-- Who wants to know about which changes of records. Whoever writes a record compares the change with these.
create table subscriptions (
  company_id uuid not null references companies (id),
  id uuid not null,
  kind text not null,
  owner_id uuid not null,
  name text not null,
  -- Null: any object.
  object_id uuid,
  actions text[] not null,
  -- An update must change one of these fields; empty: any field.
  fields text[] not null default '{}',
  filter text,
  filter_field_ids uuid[],
  -- Only records that did not match before the change.
  only_new_matches boolean not null default false,
  made_by text not null default 'anyone',
  is_active boolean not null default true,
  created_at timestamptz not null,
  primary key (company_id, id)
);

-- A change that matched a subscription, queued in the transaction of the change and deleted when it is delivered.
create table deliveries (
  company_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  kind text not null,
  change_set_id uuid not null,
  object_id uuid not null,
  record_id uuid not null,
  version bigint not null,
  action text not null,
  actor_id uuid,
  -- The filter goes through relations, so the worker checks it.
  is_unchecked boolean not null,
  created_at timestamptz not null,
  attempts int not null default 0,
  next_attempt_at timestamptz not null,
  primary key (company_id, id)
);
create index deliveries_due on deliveries (company_id, next_attempt_at, id);
create index deliveries_of_change_set on deliveries (company_id, subscription_id, change_set_id, id);
create index deliveries_of_record on deliveries (company_id, subscription_id, record_id, version);
