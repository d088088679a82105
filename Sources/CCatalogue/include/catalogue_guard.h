#pragma once

// A call of SQLite with a list of arguments that varies, which Swift cannot make.

#include <sqlite3.h>

/// Lets no statement write SQLite's inner tables or the schema itself (SQLITE_DBCONFIG_DEFENSIVE). 0, or
/// SQLite's error code.
static inline int catalogue_be_defensive(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}
