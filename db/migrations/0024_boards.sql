-- Views that are boards or calendars, and the place that people give records on a board.
alter table views
  add column type text not null default 'table',
  add column group_by jsonb,
  add column collapsed jsonb not null default '[]';
-- Without a place, a record stands where its ID puts it: newest first. The order is descending.
alter table records add column place text collate "C";
