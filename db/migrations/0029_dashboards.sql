-- Dashboards that people make for themselves or for all. The default one is not stored.
create table dashboards (
  company_id uuid not null,
  id uuid not null,
  owner_id uuid not null,
  name text not null,
  sharing text not null check (sharing in ('private', 'view', 'edit')),
  range text,
  -- A user, or me.
  owner text,
  widgets jsonb not null default '[]',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, owner_id) references users (company_id, id)
);
create index dashboards_by_owner on dashboards (company_id, owner_id);

-- Change sets that a user has looked at and found good.
create table reviewed_change_sets (
  company_id uuid not null,
  user_id uuid not null,
  change_set_id uuid not null,
  at timestamptz not null,
  primary key (company_id, user_id, change_set_id),
  foreign key (company_id, user_id) references users (company_id, id) on delete cascade,
  foreign key (company_id, change_set_id) references change_sets (company_id, id) on delete cascade
);

-- When a user last looked at the default dashboard, and the end of the visit before, from which changes count as new.
create table dashboard_visits (
  company_id uuid not null,
  user_id uuid not null,
  last_at timestamptz not null,
  before_at timestamptz,
  primary key (company_id, user_id),
  foreign key (company_id, user_id) references users (company_id, id) on delete cascade
);

-- For deals that entered a stage during a period.
create index stage_changes_by_stage on stage_changes (company_id, stage, entered_at);
