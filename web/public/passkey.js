/*
 * Signs in with a passkey: asks the browser for it, and sends the form with its response. On the page that asks for the
 * email address, the browser also offers passkeys in that field. A separate file, because the content security policy
 * allows no inline script.
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
  function load() {
    return fetch(form.dataset.options, { method: 'POST' }).then(function (answer) {
      return answer.ok ? answer.json() : Promise.reject(new Error(String(answer.status)));
    });
  }
  function ask(options, offer) {
    return navigator.credentials.get({
      publicKey: {
        challenge: toBytes(options.challenge),
        rpId: options.rpId,
        timeout: options.timeout,
        userVerification: options.userVerification,
      },
      mediation: offer ? 'conditional' : undefined,
      signal: offer ? offer.signal : undefined,
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

  // the offer in the field ends when a button is used, because a browser answers one request at a time; it is renewed
  // before its challenge expires
  var canOffer = false;
  var offer = null;
  var renewal = 0;
  function endOffer() {
    canOffer = false;
    clearTimeout(renewal);
    if (offer) offer.abort();
    offer = null;
  }
  function startOffer() {
    endOffer();
    canOffer = true;
    var own = new AbortController();
    offer = own;
    renewal = setTimeout(startOffer, 240000);
    load()
      .then(function (options) {
        return own.signal.aborted ? null : ask(options, own);
      })
      .then(function (credential) {
        if (credential) send(credential);
      })
      // the user has not asked for it, so that nothing is shown
      .catch(function () {});
  }
  if (
    document.querySelector('[autocomplete~=webauthn]') &&
    PublicKeyCredential.isConditionalMediationAvailable
  ) {
    canOffer = true;
    document.addEventListener('submit', endOffer, true);
    PublicKeyCredential.isConditionalMediationAvailable().then(function (isAvailable) {
      // a button may have been used in the meantime
      if (isAvailable && canOffer) startOffer();
    });
  }

  way.hidden = false;
  form.addEventListener('submit', function (event) {
    event.preventDefault();
    problem.hidden = true;
    load()
      .then(function (options) {
        return ask(options, null);
      })
      .then(send)
      .catch(function () {
        problem.hidden = false;
      });
  });
})();
