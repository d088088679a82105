#pragma once

// Checksums for the pages of a library's catalogue, as a layer over SQLite's own file calls.
//
// SQLite notices damage only where it breaks the structure of its file: a changed letter in a name, or
// a changed number in an index, it hands on as the truth. With these checksums each page that is read
// is the page that was written, or the read fails with SQLITE_IOERR_DATA.
//
// The last 8 bytes of each page, which SQLite is set to leave free, hold the xxHash64 of the others;
// its seed is the page's place, so that a page in the place of another one is found too. Files other
// than `.medialibrary/catalogue.sqlite…` go by as if the layer were not there. The write-ahead log has
// checksums of SQLite's.

#include <sqlite3.h>

/// Puts the layer in the place of SQLite's default file calls, once in a process. SQLITE_OK or an error.
int catalogue_pages_register(void);

/// Tells a new database, before its first table, to leave room for checksums.
int catalogue_pages_reserve(sqlite3 *database);

/// 1 where a catalogue was opened that has no room for checksums: its header is damaged, or it is of an
/// earlier version; 0 for all else.
int catalogue_pages_have_no_room(sqlite3 *database);
