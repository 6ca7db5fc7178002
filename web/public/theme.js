/* Sets the remembered theme before the first paint; without one the system's choice holds. A file of its own, since the content policy allows no inline script. */
try {
  var theme = localStorage.getItem('recodery.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch (storageIsBlocked) {
  /* The system's choice holds. */
}
