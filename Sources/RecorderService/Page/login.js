import { api } from "./api.js";
import { part } from "./elements.js";

let asked = null;

/**
 * Logs in; asks for a token if the gateway does not recognize this page. Concurrent callers share one answer,
 * because the gateway counts wrong tokens.
 *
 * Fails if the gateway does not answer, or temporarily refuses attempts.
 */
export function logIn() {
  asked ??= findSession().finally(() => {
    asked = null;
  });
  return asked;
}

/** The token in the page's link; null for none. */
const tokenOfLink = () => new URLSearchParams(location.hash.slice(1)).get("token");

/** The link keeps its token until a cookie replaces it. */
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
// Opening a link to a page that is already open does not reload it.
window.addEventListener("hashchange", () => tokenOfLink() && location.reload());

/** Asks until a token is correct. */
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
