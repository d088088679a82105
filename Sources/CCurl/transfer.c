#include "CCurl.h"
#include "CLateCalls.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The ABI this was compiled against. */
static const char *const file_name = "libcurl.so.4";

static struct {
  __typeof__(curl_global_init) *global_init;
  __typeof__(curl_easy_init) *easy_init;
  __typeof__(curl_easy_reset) *easy_reset;
  __typeof__(curl_easy_cleanup) *easy_cleanup;
  /* Declared as variadic, and must be called as such. */
  CURLcode (*setopt)(CURL *, CURLoption, ...);
  CURLcode (*getinfo)(CURL *, CURLINFO, ...);
  CURLcode (*perform)(CURL *);
  const char *(*strerror)(CURLcode);
  struct curl_slist *(*append)(struct curl_slist *, const char *);
  void (*free_all)(struct curl_slist *);
} library;

static char failure[512];

static void load(void) {
  const late_symbol symbols[] = {
      {&library.global_init, "curl_global_init"},   {&library.easy_init, "curl_easy_init"},
      {&library.easy_reset, "curl_easy_reset"},     {&library.easy_cleanup, "curl_easy_cleanup"},
      {&library.setopt, "curl_easy_setopt"},        {&library.getinfo, "curl_easy_getinfo"},
      {&library.perform, "curl_easy_perform"},      {&library.strerror, "curl_easy_strerror"},
      {&library.append, "curl_slist_append"},       {&library.free_all, "curl_slist_free_all"},
  };
  if (late_symbols_load(file_name, symbols, sizeof symbols / sizeof *symbols, failure, sizeof failure))
    return;
  if (library.global_init(CURL_GLOBAL_DEFAULT)) snprintf(failure, sizeof failure, "it does not start");
}

const char *transfer_library_name(void) { return file_name; }

const char *transfer_library_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return *failure ? failure : NULL;
}

struct transfer_connection {
  CURL *handle;
};

transfer_connection *transfer_connection_make(void) {
  if (transfer_library_load()) return NULL;
  transfer_connection *connection = calloc(1, sizeof *connection);
  if (!connection) return NULL;
  connection->handle = library.easy_init();
  if (connection->handle) return connection;
  free(connection);
  return NULL;
}

void transfer_connection_free(transfer_connection *connection) {
  if (!connection) return;
  library.easy_cleanup(connection->handle);
  free(connection);
}

static size_t take_body(char *buffer, size_t size, size_t count, void *context) {
  const transfer_request *request = context;
  int64_t length = request->read(request->context, buffer, size * count);
  return length < 0 ? CURL_READFUNC_ABORT : (size_t)length;
}

static size_t give_header(char *line, size_t size, size_t count, void *context) {
  const transfer_request *request = context;
  request->header(request->context, line, size * count);
  return size * count;
}

static size_t give_body(char *bytes, size_t size, size_t count, void *context) {
  const transfer_request *request = context;
  return request->write(request->context, bytes, size * count) ? 0 : size * count;
}

static int ask(void *context, curl_off_t total, curl_off_t now, curl_off_t up_total,
               curl_off_t up_now) {
  (void)total, (void)now, (void)up_total, (void)up_now;
  const transfer_request *request = context;
  return request->is_cancelled(request->context);
}

static transfer_outcome outcome(CURLcode code) {
  switch (code) {
    case CURLE_OK: return transfer_answered;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT: return transfer_unreachable;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR: return transfer_untrusted;
    case CURLE_ABORTED_BY_CALLBACK:
    case CURLE_WRITE_ERROR: return transfer_ended_by_caller;
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
    case CURLE_OUT_OF_MEMORY:
    case CURLE_BAD_FUNCTION_ARGUMENT:
    case CURLE_UNKNOWN_OPTION: return transfer_impossible;
    default: return transfer_broken;
  }
}

static void prepare(CURL *handle, const transfer_request *request) {
  library.easy_reset(handle);
  library.setopt(handle, CURLOPT_URL, request->url);
  library.setopt(handle, CURLOPT_CUSTOMREQUEST, request->method);
  library.setopt(handle, CURLOPT_NOSIGNAL, 1L);
  library.setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  /* The path must stay as signed, without normalization. */
  library.setopt(handle, CURLOPT_PATH_AS_IS, 1L);
  library.setopt(handle, CURLOPT_CONNECTTIMEOUT, request->connect_seconds);
  library.setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1024L);
  library.setopt(handle, CURLOPT_LOW_SPEED_TIME, request->silent_seconds);
  library.setopt(handle, CURLOPT_TCP_KEEPALIVE, 1L);
  library.setopt(handle, CURLOPT_BUFFERSIZE, 256L << 10);
  library.setopt(handle, CURLOPT_UPLOAD_BUFFERSIZE, 256L << 10);
  if (request->authorities) library.setopt(handle, CURLOPT_CAINFO, request->authorities);
  library.setopt(handle, CURLOPT_HEADERFUNCTION, give_header);
  library.setopt(handle, CURLOPT_HEADERDATA, request);
  library.setopt(handle, CURLOPT_WRITEFUNCTION, give_body);
  library.setopt(handle, CURLOPT_WRITEDATA, request);
  library.setopt(handle, CURLOPT_XFERINFOFUNCTION, ask);
  library.setopt(handle, CURLOPT_XFERINFODATA, request);
  library.setopt(handle, CURLOPT_NOPROGRESS, 0L);
  if (request->body_size >= 0) {
    library.setopt(handle, CURLOPT_UPLOAD, 1L);
    library.setopt(handle, CURLOPT_INFILESIZE_LARGE, (curl_off_t)request->body_size);
    library.setopt(handle, CURLOPT_READFUNCTION, take_body);
    library.setopt(handle, CURLOPT_READDATA, request);
  } else if (!strcmp(request->method, "HEAD")) {
    library.setopt(handle, CURLOPT_NOBODY, 1L);
  }
}

void transfer_perform(transfer_connection *connection, const transfer_request *request,
                      transfer_result *result) {
  memset(result, 0, sizeof *result);
  CURL *handle = connection->handle;
  char text[CURL_ERROR_SIZE] = "";
  struct curl_slist *lines = NULL;
  for (const char *const *line = request->headers; *line; line++) {
    struct curl_slist *longer = library.append(lines, *line);
    if (!longer) {
      library.free_all(lines);
      result->outcome = transfer_impossible;
      snprintf(result->message, sizeof result->message, "no memory");
      return;
    }
    lines = longer;
  }
  prepare(handle, request);
  library.setopt(handle, CURLOPT_HTTPHEADER, lines);
  library.setopt(handle, CURLOPT_ERRORBUFFER, text);
  CURLcode code = library.perform(handle);
  result->outcome = outcome(code);
  result->library_code = (int)code;
  if (code) {
    snprintf(result->message, sizeof result->message, "%s", *text ? text : library.strerror(code));
  } else {
    library.getinfo(handle, CURLINFO_RESPONSE_CODE, &result->status);
  }
  library.free_all(lines);
  library.setopt(handle, CURLOPT_ERRORBUFFER, NULL);
}
