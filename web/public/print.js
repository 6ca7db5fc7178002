/* Shows the button that prints a page. A file of its own, since the content policy allows no inline script. */
for (var buttons = document.querySelectorAll('[data-print]'), i = 0; i < buttons.length; i++) {
  buttons[i].hidden = false;
  buttons[i].addEventListener('click', function () {
    window.print();
  });
}
