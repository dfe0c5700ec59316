-- Line items are opened from their deal. Users who had hidden anything before this default keep them in the sidebar otherwise.
update users u set navigation = jsonb_set(u.navigation, '{hidden}', u.navigation -> 'hidden' || to_jsonb(o.key))
from objects o
where o.company_id = u.company_id and o.built_in_key = 'deal_lines'
  and u.navigation ? 'hidden' and not u.navigation -> 'hidden' ? o.key;
