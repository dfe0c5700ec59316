-- Who gets leads: an HTTP address, email, users in turn, or another Kith.
create table lead_destinations (
  company_id uuid not null references companies (id),
  id uuid not null,
  name text not null,
  kind text not null,
  -- See contract/lead-destinations.ts.
  settings jsonb not null,
  returns jsonb not null,
  -- Encrypted: headers and authentication.
  secrets bytea,
  header_names text[] not null default '{}',
  authentication text not null default 'none',
  -- Only leads that this user may read are sent.
  owner_id uuid not null,
  -- How many leads its users have got in turn.
  turns bigint not null default 0,
  created_at timestamptz not null,
  created_by uuid,
  deleted_at timestamptz,
  primary key (company_id, id)
);

-- Which leads go where, tried in order. Those that are not paused are part of the cached schema.
create table lead_routes (
  company_id uuid not null references companies (id),
  id uuid not null,
  name text not null,
  position int not null,
  state text not null,
  filter text,
  -- Targets, schedule and the rest; see contract/lead-routes.ts.
  settings jsonb not null,
  -- How many leads have begun with another destination.
  turns bigint not null default 0,
  created_at timestamptz not null,
  created_by uuid,
  primary key (company_id, id)
);

-- How much of the caps of a destination in a route is used. One row, so that one conditional update decides.
create table lead_route_uses (
  company_id uuid not null,
  route_id uuid not null,
  destination_id uuid not null,
  -- The hour, day and month that the figures are about, as clocks of the route show them.
  hour text not null default '',
  hour_used int not null default 0,
  day text not null default '',
  day_used int not null default 0,
  day_spent numeric(14, 2) not null default 0,
  month text not null default '',
  month_used int not null default 0,
  month_spent numeric(14, 2) not null default 0,
  total_used int not null default 0,
  total_spent numeric(14, 2) not null default 0,
  primary key (company_id, route_id, destination_id)
);

-- The way of a lead through the routes, queued in the transaction that creates the lead.
create table lead_routings (
  company_id uuid not null,
  id uuid not null,
  lead_id uuid not null,
  -- Someone sends it to this destination, whatever the routes say.
  destination_id uuid,
  state text not null default 'waiting',
  created_at timestamptz not null,
  -- Null: it has ended.
  next_at timestamptz,
  leased_by uuid,
  leased_until timestamptz,
  -- Routes that are finished, the one whose delay is over, and the order of destinations that was chosen for one.
  done_routes uuid[] not null default '{}',
  waited_route uuid,
  plan jsonb,
  trace jsonb not null default '[]',
  primary key (company_id, id)
);
create index lead_routings_due on lead_routings (company_id, next_at) where next_at is not null;
create unique index lead_routings_open on lead_routings (company_id, lead_id) where next_at is not null;
create index lead_routings_of_lead on lead_routings (company_id, lead_id, id);

create table lead_deliveries (
  company_id uuid not null,
  id uuid not null,
  routing_id uuid not null,
  lead_id uuid not null,
  lead_created_at timestamptz not null,
  destination_id uuid not null,
  route_id uuid,
  route_name text,
  source text not null default '',
  -- To find the same person again.
  email text,
  phone text,
  state text not null,
  reason text,
  price numeric(14, 2) not null default 0,
  is_exclusive boolean not null default false,
  -- The hour, day and month in which it counts.
  hour text not null default '',
  day text not null default '',
  month text not null default '',
  attempts int not null default 0,
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  decided_at timestamptz,
  answer_ms int,
  returned_at timestamptz,
  -- Every request and answer; emptied after 90 days.
  log jsonb not null default '[]',
  primary key (company_id, id)
);
-- Nothing goes twice to a destination that has accepted it or may have.
create unique index lead_deliveries_once on lead_deliveries (company_id, lead_id, destination_id)
  where state in ('sending', 'waiting', 'accepted', 'unknown');
create index lead_deliveries_of_lead on lead_deliveries (company_id, lead_id, id);
create index lead_deliveries_by_destination on lead_deliveries (company_id, destination_id, id);
create index lead_deliveries_by_email on lead_deliveries (company_id, destination_id, email, created_at) where email is not null;
create index lead_deliveries_by_phone on lead_deliveries (company_id, destination_id, phone, created_at) where phone is not null;
create index lead_deliveries_by_time on lead_deliveries (company_id, created_at);

create table lead_returns (
  company_id uuid not null,
  id uuid not null,
  delivery_id uuid not null,
  destination_id uuid not null,
  lead_id uuid not null,
  reason text not null,
  text text not null default '',
  via text not null,
  state text not null,
  requested_at timestamptz not null,
  -- When it is accepted by itself.
  accepts_at timestamptz,
  decided_at timestamptz,
  decided_by uuid,
  primary key (company_id, id)
);
create unique index lead_returns_once on lead_returns (company_id, delivery_id);
create index lead_returns_due on lead_returns (company_id, accepts_at) where accepts_at is not null;

-- What happens with leads that no one took.
alter table companies add column lead_sending jsonb not null default '{}';
