-- Records by their folded title: names in values and filters are looked up here, and lists sorted by title read it.
-- Cut, because folding makes some characters many, and an index takes no long texts.
create index records_by_folded_title on records (company_id, object_id, (left(match ->> 'title', 200) collate "C"), id)
  where deleted_at is null;

-- Users by their name, however it is capitalized.
create index users_by_name on users (company_id, lower(name), id) where removed_at is null;
