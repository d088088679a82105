import { api } from "./api.js";
import { part } from "./elements.js";

let asked = null;

/**
 * Who the gateway takes this page for; asks for a token where it knows nobody. Those who want to know it
 * at the same time share one answer: a gateway counts wrong tokens.
 *
 * Fails where the gateway does not answer, or lets nobody try for now.
 */
export function logIn() {
  asked ??= findSession().finally(() => {
    asked = null;
  });
  return asked;
}

/** The token of the link that was opened; null for none. */
const tokenOfLink = () => new URLSearchParams(location.hash.slice(1)).get("token");

/** The link stays whole until its token, or another one, is a cookie. */
async function exchange(token) {
  const session = await api.enter(token);
  if (tokenOfLink()) history.replaceState(null, "", location.pathname);
  return session;
}

async function findSession() {
  const token = tokenOfLink();
  try {
    return token ? await exchange(token) : await api.session();
  } catch (error) {
    if (error.status !== 401) throw error;
    return askForToken(token ? error.message : "");
  }
}

part("login").addEventListener("cancel", (event) => event.preventDefault());
// A link in the address of a page that is open loads nothing by itself.
window.addEventListener("hashchange", () => tokenOfLink() && location.reload());

/** Asks until a token is right. */
function askForToken(reason) {
  part("login-error").textContent = reason;
  part("login").showModal();
  return new Promise((enter) => {
    part("login-form").onsubmit = async (event) => {
      event.preventDefault();
      try {
        const session = await exchange(part("token").value.trim());
        part("token").value = "";
        part("login").close();
        enter(session);
      } catch (error) {
        part("login-error").textContent = error.message;
      }
    };
  });
}
