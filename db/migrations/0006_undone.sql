-- The change set that took this one back, so that lists can say so.
alter table change_sets add column undone_by uuid;
create index change_sets_undone on change_sets (company_id, undone_by) where undone_by is not null;
