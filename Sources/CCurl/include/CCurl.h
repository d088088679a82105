#pragma once
#include <stddef.h>
#include <stdint.h>

/* HTTP requests through libcurl.

   libcurl is loaded when the first request is made: it depends on TLS, LDAP and Kerberos libraries,
   and few runs of the program talk to a server. */

/* The library's file name. */
const char *transfer_library_name(void);
/* Loads the library if necessary. Returns NULL, or the reason it cannot be used, which stays valid.
   Thread-safe. */
const char *transfer_library_load(void);

/* A connection kept open between requests; not thread-safe. */
typedef struct transfer_connection transfer_connection;
transfer_connection *transfer_connection_make(void);
void transfer_connection_free(transfer_connection *connection);

typedef struct {
  const char *method;
  const char *url;
  /* Lines, terminated by NULL. */
  const char *const *headers;
  /* The size of the body in bytes; -1 for a request without a body. */
  int64_t body_size;
  /* Returns the next bytes of the body, 0 at its end, -1 to end the request. May sleep, as may
     `write`. */
  int64_t (*read)(void *context, char *buffer, size_t room);
  /* Receives a header line of the response. */
  void (*header)(void *context, const char *line, size_t length);
  /* Receives bytes of the response's body; a nonzero result ends the request. */
  int (*write)(void *context, const char *bytes, size_t length);
  /* Called several times a second; a nonzero result ends the request. */
  int (*is_cancelled)(void *context);
  void *context;
  long connect_seconds;
  /* Ends a request that transfers less than a kilobyte per second for this long. */
  long silent_seconds;
  /* A file of CA certificates; NULL for the system's. */
  const char *authorities;
} transfer_request;

/* The outcome of a request. */
typedef enum {
  transfer_answered,
  /* The server was not found or does not accept connections. */
  transfer_unreachable,
  /* The connection ended, stalled, or broke the protocol. */
  transfer_broken,
  /* The server's certificate is not trusted, or the file of CA certificates cannot be used. An
     interrupted handshake counts as a broken connection. */
  transfer_untrusted,
  transfer_ended_by_caller,
  /* An error that another attempt would not change. */
  transfer_impossible,
} transfer_outcome;

typedef struct {
  transfer_outcome outcome;
  long status;
  int library_code;
  char message[256];
} transfer_result;

void transfer_perform(transfer_connection *connection, const transfer_request *request,
                      transfer_result *result);
