-- A query for the jobs of an organisation with all words of a text. The extension of a file name and the word before it must
-- be whole: thousands of words begin like them. A single character is only looked for if there is nothing else, and must
-- be whole. No word contains a colon.
create or replace function search_query(organisation uuid, content text) returns tsquery language sql immutable as $$
  select (string_agg(
      case when length(word) = 1 or word = any(whole) then '''' || word || '''' else '''' || word || ''':*' end, ' & ')
    || ' & '':' || organisation || '''')::tsquery
  from (select word, max(length(word)) over () as longest from search_words(content) as word) as words,
    (select array(select unnest(found)
      from regexp_matches(lower(content), '([^\s!-/:-@\[-`{-~]+)\.([a-z][a-z0-9]{2,3})(?=\s|$)', 'g') as found) as whole)
      as of_names
  where length(word) > 1 or longest = 1
$$;
