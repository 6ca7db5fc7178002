/* Shows the times of a page on the reader's clock, with UTC below. A file of its own, since the content policy allows no inline script. */
for (var times = document.querySelectorAll('time[data-local]'), i = 0; i < times.length; i++) {
  var time = times[i];
  var date = new Date(time.dateTime);
  /* The reader's clock shows UTC: there is nothing to add. */
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
