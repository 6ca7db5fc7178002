-- Search ignores accents: `muller` finds Müller, and `müller` finds Muller. Texts and queries are folded by one function,
-- before they are split into words.

-- A text without case, accents and variants of letters. Unicode takes apart letters with accents, and wide or joined
-- characters; the letters that it leaves whole are listed, in both cases: some databases only know the case of ASCII.
create function search_fold(content text) returns text language sql immutable as $$
  select replace(replace(replace(replace(
      translate(
        regexp_replace(lower(
          -- PostgreSQL normalizes only UTF-8
          case when getdatabaseencoding() = 'UTF8' then normalize(content, NFKD) else content end
        ), '[\u0300-\u036f]', '', 'g'),
        'łŁøØđĐðÐŧŦħĦıςẞÆŒÞ', 'llooddddtthhiσßæœþ'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
$$;

create or replace function search_words(content text) returns setof text language sql immutable as $$
  select distinct left(word, 64)
  from regexp_split_to_table(search_fold(content), '[\s!-/:-@\[-`{-~]+') as word
  where word <> ''
$$;

-- The first term marks jobs that these rules describe; no word contains a colon.
create or replace function search_terms(variadic contents text[]) returns text[] language sql immutable as $$
  select array['::2'] || coalesce(array_agg(distinct substr(word, start)), '{}')
  from unnest(contents) as content, search_words(content) as word,
    generate_series(1, greatest(1, length(word) - 2)) as start
$$;

create or replace function search_query(organisation uuid, content text) returns tsquery language sql immutable as $$
  select (string_agg(
      case when length(word) = 1 or word = any(whole) then '''' || word || '''' else '''' || word || ''':*' end, ' & ')
    || ' & '':' || organisation || '''')::tsquery
  from (select word, max(length(word)) over () as longest from search_words(content) as word) as words,
    (select array(select unnest(found)
      from regexp_matches(search_fold(content), '([^\s!-/:-@\[-`{-~]+)\.([a-z][a-z0-9]{2,3})(?=\s|$)', 'g') as found) as whole)
      as of_names
  where length(word) > 1 or longest = 1
$$;

-- The sweep describes the jobs of earlier versions again, in batches. Until then, they are found by what needs no folding.
drop index slot_undescribed;
create index slot_undescribed on slot (created_on) where deleted_on is null and not search @@ '''::2'''::tsquery;
