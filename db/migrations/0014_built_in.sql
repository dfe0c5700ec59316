-- Built-in objects and fields go by a key of their own, so that a company may have a field with the key of a later one.
alter table objects add column built_in_key text;
alter table fields add column built_in_key text;
update objects set built_in_key = key where is_built_in;
update fields set built_in_key = key where is_built_in;
create unique index objects_by_built_in_key on objects (company_id, built_in_key) where built_in_key is not null;
create unique index fields_by_built_in_key on fields (company_id, object_id, built_in_key) where built_in_key is not null;
-- Which version of contract/built-in/objects.ts the company has. 1: as it was before there were versions.
alter table companies add column built_in_version int not null default 1;

-- The fields that a view's filter names. Null: the filter is still as it was sent, not yet with keys and ids.
alter table views add column filter_field_ids uuid[];
