-- Objects and fields as data, records of every kind in one table, their relations and unique values.
create extension if not exists pg_trgm;

alter table companies add column schema_version int not null default 1;

create table objects (
  company_id uuid not null references companies (id),
  id uuid not null,
  key text not null,
  label text not null,
  label_plural text not null,
  is_built_in boolean not null default false,
  position int not null,
  archived_at timestamptz,
  primary key (company_id, id),
  unique (company_id, key)
);

create table fields (
  company_id uuid not null,
  id uuid not null,
  object_id uuid not null,
  key text not null,
  label text not null,
  description text not null default '',
  type text not null,
  is_multi boolean not null default false,
  is_required boolean not null default false,
  is_unique boolean not null default false,
  is_read_only boolean not null default false,
  is_built_in boolean not null default false,
  options jsonb,
  -- Keys of the objects that a relation may lead to; empty: any.
  to_objects text[],
  default_value jsonb,
  -- The typed column that holds this field's comparable value, if one was free when it was made.
  slot text,
  position int not null,
  archived_at timestamptz,
  primary key (company_id, id),
  unique (company_id, object_id, key),
  foreign key (company_id, object_id) references objects (company_id, id)
);

create table records (
  company_id uuid not null,
  id uuid not null,
  object_id uuid not null,
  -- What was entered, by field key.
  values jsonb not null,
  -- The comparable form of each value: what filters look at.
  match jsonb not null,
  -- Folded text of everything that search looks at.
  search text not null,
  title text not null,
  owner_id uuid,
  created_at timestamptz not null,
  created_by uuid,
  updated_at timestamptz not null,
  last_activity_at timestamptz,
  deleted_at timestamptz,
  version int not null default 1,
  n1 numeric, n2 numeric, n3 numeric, n4 numeric, n5 numeric, n6 numeric,
  n7 numeric, n8 numeric, n9 numeric, n10 numeric, n11 numeric, n12 numeric,
  s1 text collate "C", s2 text collate "C", s3 text collate "C", s4 text collate "C", s5 text collate "C",
  s6 text collate "C", s7 text collate "C", s8 text collate "C", s9 text collate "C", s10 text collate "C",
  s11 text collate "C", s12 text collate "C", s13 text collate "C", s14 text collate "C", s15 text collate "C",
  s16 text collate "C", s17 text collate "C", s18 text collate "C", s19 text collate "C", s20 text collate "C",
  primary key (company_id, id)
);
-- Newest first, and every list without a better way.
create index records_by_object on records (company_id, object_id, id) where deleted_at is null;
create index records_in_trash on records (company_id, object_id, deleted_at) where deleted_at is not null;
create index records_by_owner on records (company_id, object_id, owner_id, id) where deleted_at is null;
create index records_by_title on records (company_id, object_id, title, id) where deleted_at is null;
create index records_by_update on records (company_id, object_id, updated_at, id) where deleted_at is null;
create index records_by_match on records using gin (match jsonb_path_ops) where deleted_at is null;
create index records_by_search on records using gin (search gin_trgm_ops) where deleted_at is null;
-- One index a slot. A record is only in those whose slots it fills, so a record costs what its fields cost.
create index records_by_n1 on records (company_id, object_id, n1, id) where n1 is not null and deleted_at is null;
create index records_by_n2 on records (company_id, object_id, n2, id) where n2 is not null and deleted_at is null;
create index records_by_n3 on records (company_id, object_id, n3, id) where n3 is not null and deleted_at is null;
create index records_by_n4 on records (company_id, object_id, n4, id) where n4 is not null and deleted_at is null;
create index records_by_n5 on records (company_id, object_id, n5, id) where n5 is not null and deleted_at is null;
create index records_by_n6 on records (company_id, object_id, n6, id) where n6 is not null and deleted_at is null;
create index records_by_n7 on records (company_id, object_id, n7, id) where n7 is not null and deleted_at is null;
create index records_by_n8 on records (company_id, object_id, n8, id) where n8 is not null and deleted_at is null;
create index records_by_n9 on records (company_id, object_id, n9, id) where n9 is not null and deleted_at is null;
create index records_by_n10 on records (company_id, object_id, n10, id) where n10 is not null and deleted_at is null;
create index records_by_n11 on records (company_id, object_id, n11, id) where n11 is not null and deleted_at is null;
create index records_by_n12 on records (company_id, object_id, n12, id) where n12 is not null and deleted_at is null;
create index records_by_s1 on records (company_id, object_id, s1, id) where s1 is not null and deleted_at is null;
create index records_by_s2 on records (company_id, object_id, s2, id) where s2 is not null and deleted_at is null;
create index records_by_s3 on records (company_id, object_id, s3, id) where s3 is not null and deleted_at is null;
create index records_by_s4 on records (company_id, object_id, s4, id) where s4 is not null and deleted_at is null;
create index records_by_s5 on records (company_id, object_id, s5, id) where s5 is not null and deleted_at is null;
create index records_by_s6 on records (company_id, object_id, s6, id) where s6 is not null and deleted_at is null;
create index records_by_s7 on records (company_id, object_id, s7, id) where s7 is not null and deleted_at is null;
create index records_by_s8 on records (company_id, object_id, s8, id) where s8 is not null and deleted_at is null;
create index records_by_s9 on records (company_id, object_id, s9, id) where s9 is not null and deleted_at is null;
create index records_by_s10 on records (company_id, object_id, s10, id) where s10 is not null and deleted_at is null;
create index records_by_s11 on records (company_id, object_id, s11, id) where s11 is not null and deleted_at is null;
create index records_by_s12 on records (company_id, object_id, s12, id) where s12 is not null and deleted_at is null;
create index records_by_s13 on records (company_id, object_id, s13, id) where s13 is not null and deleted_at is null;
create index records_by_s14 on records (company_id, object_id, s14, id) where s14 is not null and deleted_at is null;
create index records_by_s15 on records (company_id, object_id, s15, id) where s15 is not null and deleted_at is null;
create index records_by_s16 on records (company_id, object_id, s16, id) where s16 is not null and deleted_at is null;
create index records_by_s17 on records (company_id, object_id, s17, id) where s17 is not null and deleted_at is null;
create index records_by_s18 on records (company_id, object_id, s18, id) where s18 is not null and deleted_at is null;
create index records_by_s19 on records (company_id, object_id, s19, id) where s19 is not null and deleted_at is null;
create index records_by_s20 on records (company_id, object_id, s20, id) where s20 is not null and deleted_at is null;

-- Every relation, in both directions.
create table links (
  company_id uuid not null,
  field_id uuid not null,
  from_id uuid not null,
  to_id uuid not null,
  position int not null default 0,
  primary key (company_id, from_id, field_id, to_id)
);
create index links_by_target on links (company_id, to_id, field_id, from_id);

-- Kept in the transaction of the record, so that two writers at once cannot both have a value.
create table unique_values (
  company_id uuid not null,
  field_id uuid not null,
  key text not null,
  record_id uuid not null,
  primary key (company_id, field_id, key)
);
create index unique_values_by_record on unique_values (company_id, record_id);

-- Both are written by one statement, always: to look for the one while writing the other only costs.
alter table changes drop constraint changes_company_id_change_set_id_fkey;
alter table change_sets add column reason text;
-- The version that a change made, so that a writer who comes too late is told what changed meanwhile.
alter table changes add column version int;
