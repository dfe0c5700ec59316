-- Code finds built-in objects and fields by this key, because a company may already use the key of a later one.
alter table objects add column built_in_key text;
alter table fields add column built_in_key text;
update objects set built_in_key = key where is_built_in;
update fields set built_in_key = key where is_built_in;
create unique index objects_by_built_in_key on objects (company_id, built_in_key) where built_in_key is not null;
create unique index fields_by_built_in_key on fields (company_id, object_id, built_in_key) where built_in_key is not null;
-- The version of contract/built-in.ts that the company has. 1: from before there were versions.
alter table companies add column built_in_version int not null default 1;

-- The fields that a view's filter uses. Null: the filter has not been converted to keys and IDs yet.
alter table views add column filter_field_ids uuid[];
