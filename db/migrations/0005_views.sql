-- Lists as somebody likes to see them.
create table views (
  company_id uuid not null,
  id uuid not null,
  object_id uuid not null,
  owner_id uuid not null,
  name text not null,
  is_shared boolean not null default false,
  filter text,
  sort jsonb not null default '[]',
  columns jsonb not null default '[]',
  layout text not null default 'comfortable',
  position int not null,
  created_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, object_id) references objects (company_id, id),
  foreign key (company_id, owner_id) references users (company_id, id)
);
create index views_by_owner on views (company_id, owner_id);
