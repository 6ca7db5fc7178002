-- Locks everything that the end of an operation changes, in the order in which others lock it, and counts as `lock_usage`. If
-- the claim is lost, nothing else is locked. A device that was removed meanwhile is null.
create function lock_end(
  of_operation uuid, of_attempt integer, of_slave uuid, of_master uuid, of_slot uuid, of_organisation uuid)
  returns table (
    is_held boolean, slave_guid uuid, master_guid uuid, has_slot boolean,
    others integer, of_trays integer, used_bytes bigint) language plpgsql as $$
begin
  perform from operation where guid = of_operation and attempt = of_attempt and status = 'running' for update;
  is_held := found;
  if is_held then
    -- the devices before the slot: removing one locks it first, then its slots; slaves before masters, as the directory does
    select guid into slave_guid from slave_device where guid = of_slave for key share;
    select guid into master_guid from master_device where guid = of_master for key share;
    -- not `for update`: the foreign keys of other rows must not wait
    perform from slot where guid = of_slot and organisation_guid = of_organisation and deleted_on is null
      for no key update;
    has_slot := found;
    select usage.* into others, of_trays, used_bytes from lock_usage(of_organisation, of_operation) as usage;
  end if;
  return next;
end
$$;

-- Records a download of each file, unless the same downloader has recorded one of it within the interval.
create function record_downloads(
  files uuid[], guids uuid[], by_way text, by_organisation uuid, by_account uuid, by_client uuid,
  by_notification uuid, within interval)
  returns void language plpgsql as $$
begin
  -- two parts of a download may end at the same time; the next statement sees what the other has recorded
  perform from stored_file where guid = any(files) order by guid for no key update;
  insert into download (guid, file_guid, way, organisation_guid, account_guid, client_guid, notification_guid)
  select made.guid, made.file, by_way, by_organisation, doer.account, doer.client, by_notification
  from unnest(guids, files) as made (guid, file)
    -- a ticket can outlive the account or client application that it names
    cross join (select
      (select guid from account where guid = by_account) as account,
      (select guid from client_application where guid = by_client) as client) as doer
  where not exists (
    select from download as last
    where last.file_guid = made.file and last.downloaded_on > now() - within
      and (last.way, last.organisation_guid, last.account_guid, last.client_guid, last.notification_guid)
        is not distinct from (by_way, by_organisation, doer.account, doer.client, by_notification));
end
$$;
