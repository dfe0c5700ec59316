-- Raised by every change, so that no one overwrites what others have changed since.
alter table lead_routes add column version integer not null default 1;
alter table dashboards add column version integer not null default 1;
