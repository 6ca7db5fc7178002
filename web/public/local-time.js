/*
 * Shows the times of a page in the reader's time zone, with UTC below. A separate file, because the content security
 * policy allows no inline script.
 */
for (var times = document.querySelectorAll('time[data-local]'), i = 0; i < times.length; i++) {
  var time = times[i];
  var date = new Date(time.dateTime);
  /* The local time equals UTC: there is nothing to add. */
  if (date.getTimezoneOffset() === 0) continue;
  var local = new Intl.DateTimeFormat(document.documentElement.lang, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(date);
  var utc = document.createElement('small');
  utc.textContent = time.textContent;
  time.textContent = time.dataset.local.replace('{0}', local);
  time.after(utc);
}
