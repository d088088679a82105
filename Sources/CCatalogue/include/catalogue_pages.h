#pragma once

// Checksums for the pages of a library's catalogue, as a layer over SQLite's own file calls.
//
// SQLite notices damage only if it breaks the structure of its file: a changed letter in a name, or
// a changed number in an index, is returned as correct. With these checksums each page read is the
// page that was written, or the read fails with SQLITE_IOERR_DATA.
//
// The last 8 bytes of each page, which SQLite is told to reserve, hold the xxHash64 of the rest;
// its seed is the page's offset, so that a misplaced page is detected, too. Files other than
// `.medialibrary/catalogue.sqlite…` are passed through unchanged. The write-ahead log has SQLite's
// own checksums.

#include <sqlite3.h>

/// Installs the layer over SQLite's default file calls, once per process. SQLITE_OK or an error.
int catalogue_pages_register(void);

/// Makes a new database reserve room for checksums; call it before its first table is created.
int catalogue_pages_reserve(sqlite3 *database);

/// 1 if an opened catalogue has no room for checksums, because its header is damaged or it comes
/// from an earlier version; otherwise 0.
int catalogue_pages_have_no_room(sqlite3 *database);
