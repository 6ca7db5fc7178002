/*
 * Sets the saved theme before the first paint; without one, the system's theme applies. A separate file, because the
 * content security policy allows no inline script.
 */
try {
  var theme = localStorage.getItem('recodery.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch (storageIsBlocked) {
  /* The system's theme applies. */
}
