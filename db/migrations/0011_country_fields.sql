-- The built-in countries hold codes from now on. Names that records hold are read as codes when their rows are made again.
update fields set type = 'country' where is_built_in and key = 'country' and type = 'text' and not is_multi and not is_unique;
update companies set schema_version = schema_version + 1;
