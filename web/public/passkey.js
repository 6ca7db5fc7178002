/*
 * Signs in with a passkey: asks the browser for it, and sends the form with its response. A separate file, because the
 * content security policy allows no inline script.
 */
(function () {
  var form = document.getElementById('passkey');
  if (form === null || window.PublicKeyCredential === undefined) return;
  var way = document.getElementById('passkey-way');
  var problem = way.querySelector('[role=alert]');

  function toBytes(text) {
    var binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    return Uint8Array.from(binary, function (letter) {
      return letter.charCodeAt(0);
    });
  }
  function toText(buffer) {
    if (buffer === null) return undefined;
    var binary = String.fromCharCode.apply(null, new Uint8Array(buffer));
    return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '');
  }
  function ask(options) {
    return navigator.credentials.get({
      publicKey: {
        challenge: toBytes(options.challenge),
        rpId: options.rpId,
        timeout: options.timeout,
        userVerification: options.userVerification,
      },
    });
  }
  function send(credential) {
    var response = credential.response;
    form.elements.credential.value = JSON.stringify({
      id: credential.id,
      rawId: toText(credential.rawId),
      type: credential.type,
      clientExtensionResults: {},
      response: {
        clientDataJSON: toText(response.clientDataJSON),
        authenticatorData: toText(response.authenticatorData),
        signature: toText(response.signature),
        userHandle: toText(response.userHandle),
      },
    });
    form.submit();
  }

  way.hidden = false;
  form.addEventListener('submit', function (event) {
    event.preventDefault();
    problem.hidden = true;
    fetch(form.dataset.options, { method: 'POST' })
      .then(function (answer) {
        return answer.ok ? answer.json() : Promise.reject(new Error(String(answer.status)));
      })
      .then(ask)
      .then(send)
      .catch(function () {
        problem.hidden = false;
      });
  });
})();
