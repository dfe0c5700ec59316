-- How objects look in the web app.
alter table objects add column icon text not null default 'box', add column color text not null default 'gray';
update objects o set icon = look.icon, color = look.color
from (values
  ('deals', 'handshake', 'green'), ('people', 'user', 'blue'), ('organizations', 'building', 'violet'),
  ('leads', 'sprout', 'orange'), ('tasks', 'circle-check', 'teal'), ('notes', 'notebook', 'yellow'),
  ('activities', 'calendar', 'pink'), ('products', 'package', 'red'), ('deal_lines', 'receipt', 'gray')
) look (built_in_key, icon, color)
where o.built_in_key = look.built_in_key;

-- Deals come first, unless a company has put its first objects into an order of its own.
update objects o set position = moved.position
from (values ('deals', 2, 0), ('people', 0, 1), ('organizations', 1, 2)) moved (built_in_key, was, position)
where o.built_in_key = moved.built_in_key and o.position = moved.was and 3 = (
  select count(*) from objects other
  join (values ('deals', 2), ('people', 0), ('organizations', 1)) usual (built_in_key, position)
    on usual.built_in_key = other.built_in_key and usual.position = other.position
  where other.company_id = o.company_id
);
update companies set schema_version = schema_version + 1;

-- What each user sees in the navigation, and in which order. Those who know Kith need no introduction.
alter table users add column navigation jsonb not null default '{}';
update users set navigation = '{"hidden": ["getting-started"]}';
