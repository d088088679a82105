#pragma once

// A call of SQLite with a list of arguments that varies, which Swift cannot make.

struct sqlite3;
extern int sqlite3_db_config(struct sqlite3 *database, int option, ...);

/// Lets no statement write SQLite's inner tables or the schema itself (SQLITE_DBCONFIG_DEFENSIVE). 0, or
/// SQLite's error code.
static inline int sqlite_be_defensive(struct sqlite3 *database) {
  return sqlite3_db_config(database, 1010, 1, (int *)0);
}
