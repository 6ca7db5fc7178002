/* Shows the button that prints a page. A separate file, because the content security policy allows no inline script. */
for (var buttons = document.querySelectorAll('[data-print]'), i = 0; i < buttons.length; i++) {
  buttons[i].hidden = false;
  buttons[i].addEventListener('click', function () {
    window.print();
  });
}
