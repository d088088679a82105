#pragma once
#include <stddef.h>
#include <stdint.h>

/* HTTP requests through libcurl.

   libcurl is loaded when a request is made: it brings TLS, LDAP and Kerberos along, and few runs of the
   program talk to a server. */

/* The library's file name. */
const char *transfer_library_name(void);
/* Loads the library where it was not. Returns NULL, or why it cannot be used: good until the program's
   end. Safe on any thread. */
const char *transfer_library_load(void);

/* A connection that is kept from one request to the next; of one thread at a time. */
typedef struct transfer_connection transfer_connection;
transfer_connection *transfer_connection_make(void);
void transfer_connection_free(transfer_connection *connection);

typedef struct {
  const char *method;
  const char *url;
  /* Lines, the last followed by NULL. */
  const char *const *headers;
  /* Bytes of the body; -1 for a request without one. */
  int64_t body_size;
  /* The next bytes of the body, 0 at its end. -1 ends the request. May sleep, as `write` may. */
  int64_t (*read)(void *context, char *buffer, size_t room);
  /* A line of the answer's header. */
  void (*header)(void *context, const char *line, size_t length);
  /* Bytes of the answer's body; not 0 ends the request. */
  int (*write)(void *context, const char *bytes, size_t length);
  /* Asked several times a second; not 0 ends the request. */
  int (*is_cancelled)(void *context);
  void *context;
  long connect_seconds;
  /* Ends a request that moves less than a kilobyte a second for so long. */
  long silent_seconds;
  /* A file of certificates; NULL for the system's. */
  const char *authorities;
} transfer_request;

/* How a request ended. */
typedef enum {
  transfer_answered,
  /* The server was not found or does not take connections. */
  transfer_unreachable,
  /* The connection ended, stalled, or broke the protocol. */
  transfer_broken,
  /* The server's certificate is not trusted, or the file of those to trust cannot be used. A handshake that
     breaks off is a broken connection. */
  transfer_untrusted,
  transfer_ended_by_caller,
  /* Nothing that another attempt would change. */
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
