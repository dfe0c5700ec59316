-- The record that a file belongs to. Its name and size are also among the record's values.
alter table files add column record_id uuid;
