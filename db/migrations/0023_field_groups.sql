-- The heading under which a field is shown on record pages. Null: the default of a built-in field, or none.
alter table fields add column group_label text;
