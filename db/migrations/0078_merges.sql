-- Records that were merged into others. Their IDs lead to the kept record while the merge is in effect.
create table record_merges (
  company_id uuid not null,
  merged_id uuid not null,
  -- Of both records.
  object_id uuid not null,
  kept_id uuid not null,
  change_set_id uuid not null,
  merged_at timestamptz not null,
  -- The change set that restored the merged record. Undoing that puts the merge into effect again.
  ended_by uuid,
  primary key (company_id, merged_id, change_set_id),
  foreign key (company_id, object_id) references objects (company_id, id) on delete cascade
);
create index record_merges_by_kept on record_merges (company_id, kept_id);
create index record_merges_by_change_set on record_merges (company_id, change_set_id);

-- The keys of the objects of which Kith merges certain duplicates.
alter table companies add column merge_certain text[] not null default '{}';
