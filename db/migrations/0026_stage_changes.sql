-- When deals entered their stages, and by whom. They left at the time of the next row. Kept when a deal is purged.
create table stage_changes (
  company_id uuid not null references companies (id),
  id uuid not null,
  record_id uuid not null,
  -- Keys. Null: the deal had no stage from then on.
  stage text,
  pipeline text,
  entered_at timestamptz not null,
  actor_id uuid,
  api_key_id uuid,
  principal_kind text,
  principal_id uuid,
  principal_name text,
  change_set_id uuid,
  primary key (company_id, id)
);
create index stage_changes_by_record on stage_changes (company_id, record_id, entered_at, id);
