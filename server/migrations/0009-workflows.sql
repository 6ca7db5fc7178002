-- A way of working instead of the utility's flag, the organisation's families as a list, the VIN as a column, and the
-- facts of a decode under the same keys for all families. The families are listed in the code alone.

alter table organisation add column families text[] not null default '{}';
update organisation set families = array_remove(array[
  case when may_kessv2 then 'kessv2' end,
  case when may_ktag then 'ktag' end,
  case when may_kess3 then 'kess3' end], null);
alter table organisation drop column may_kessv2, drop column may_ktag, drop column may_kess3;

alter table master_device drop constraint master_device_family_check;
alter table slave_device drop constraint slave_device_family_check;
alter table slot drop constraint slot_family_check;
alter table operation drop constraint operation_family_check;
alter table notification drop constraint notification_family_check;

alter table slot add column workflow text, add column vin text;
update slot set
  workflow = case when is_utility then 'kess3-utility' else family end,
  vin = coalesce(facts #>> '{information,vin}', facts #>> '{information,VIN}');
alter table slot alter column workflow set not null;
alter table slot drop column is_utility;

alter table operation add column workflow text;
update operation set workflow = case when request @> '{"utility": true}' then 'kess3-utility' else family end;
alter table operation alter column workflow set not null;

alter table notification add column workflow text;
update notification set workflow = case when is_utility then 'kess3-utility' else family end;
alter table notification alter column workflow set not null;
alter table notification drop column is_utility;

create function canonical_facts(facts jsonb) returns jsonb language sql immutable as $$
  select case when facts ->> 'kind' is distinct from 'decode' then facts else
    (facts - 'information' - 'utility') || jsonb_build_object(
      'information', jsonb_build_object(
        'family', coalesce(i -> 'FAMILY', i -> 'Family'),
        'serialNumber', coalesce(i -> 'serialNumber', i -> 'SN'),
        'hardware', coalesce(i -> 'hardware', i -> 'HW'),
        'hardwareVersion', i -> 'HW Ver.',
        'software', coalesce(i -> 'software', i -> 'SW'),
        'softwareVersion', coalesce(i -> 'softwareVersion', i -> 'SW Ver.'),
        'softwareUpgrade', coalesce(i -> 'softwareUpgrade', i -> 'SW upd', i -> 'SW upg.'),
        'softwareDate', i -> 'softwareDate',
        'spare', coalesce(i -> 'spare', i -> 'Spare'),
        'system', coalesce(i -> 'imp', i -> 'Impianto', i -> 'System'),
        'engine', coalesce(i -> 'engine', i -> 'Engine'),
        'vin', coalesce(i -> 'vin', i -> 'VIN')),
      'isChecksumRight', case i ->> 'Cks' when 'OK' then true when 'KO' then false end,
      'isRecognised', case i ->> 'Recognized' when 'OK' then true when 'KO' then false end,
      'customerCode', i -> 'Customer Code',
      'groupCode', i -> 'Group Code')
  end
  from (select facts -> 'information' as i) as read
$$;
update slot set facts = canonical_facts(facts) where facts is not null;
update operation set result = canonical_facts(result) where result ->> 'kind' = 'decode';
drop function canonical_facts(jsonb);
update operation set request = request - 'utility';

alter table organisation_preferences add column name_formats jsonb not null default '{}';
update organisation_preferences set name_formats = jsonb_strip_nulls(jsonb_build_object(
  'kessv2', encoded_kessv2_file_name_format, 'ktag', encoded_ktag_file_name_format));
alter table organisation_preferences
  drop column encoded_kessv2_file_name_format, drop column encoded_ktag_file_name_format;
