#include "catalogue_pages.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <xxhash.h>

enum {
  checksum_size = 8,
  reserve_place = 20,  // the header's byte that states how much of each page is reserved
  header_size = 100,
  smallest_page = 512,
  largest_page = 65536,
};

/// An SQLite file, followed in memory by the file of the layer below.
struct checked_file {
  sqlite3_file base;
  /// True once the header says that there is room for checksums.
  bool is_checked;
  /// True if the file was opened with a header that says that there is none.
  bool has_no_room;
  /// A page with its checksum, about to be written.
  unsigned char *page;
};

static sqlite3_vfs *system_files;
static sqlite3_vfs checked_files;

static sqlite3_file *below(sqlite3_file *file) {
  return (sqlite3_file *)((struct checked_file *)file + 1);
}

static bool is_page(int size, sqlite3_int64 place) {
  return size >= smallest_page && size <= largest_page && (size & (size - 1)) == 0 &&
         place % size == 0;
}

static XXH64_hash_t checksum(const unsigned char *page, int size, sqlite3_int64 place) {
  return XXH64(page, (size_t)(size - checksum_size), (XXH64_hash_t)place);
}

static int read_pages(sqlite3_file *file, void *bytes, int size, sqlite3_int64 place) {
  struct checked_file *checked = (struct checked_file *)file;
  int code = below(file)->pMethods->xRead(below(file), bytes, size, place);
  if (code != SQLITE_OK || !is_page(size, place)) return code;
  const unsigned char *page = bytes;
  if (place == 0 && !checked->is_checked) checked->is_checked = page[reserve_place] == checksum_size;
  if (!checked->is_checked) return code;
  XXH64_hash_t written;
  memcpy(&written, page + size - checksum_size, checksum_size);
  return written == checksum(page, size, place) ? SQLITE_OK : SQLITE_IOERR_DATA;
}

static int write_pages(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 place) {
  struct checked_file *checked = (struct checked_file *)file;
  const sqlite3_io_methods *methods = below(file)->pMethods;
  if (!is_page(size, place)) return methods->xWrite(below(file), bytes, size, place);
  const unsigned char *page = bytes;
  // In a new database, the first page is written before all others.
  if (place == 0) checked->is_checked = page[reserve_place] == checksum_size;
  if (!checked->is_checked) return methods->xWrite(below(file), bytes, size, place);
  if (!checked->page) checked->page = sqlite3_malloc(largest_page);
  if (!checked->page) return SQLITE_IOERR_NOMEM;
  XXH64_hash_t hash = checksum(page, size, place);
  memcpy(checked->page, page, (size_t)(size - checksum_size));
  memcpy(checked->page + size - checksum_size, &hash, checksum_size);
  return methods->xWrite(below(file), checked->page, size, place);
}

static int close_file(sqlite3_file *file) {
  struct checked_file *checked = (struct checked_file *)file;
  sqlite3_free(checked->page);
  checked->page = NULL;
  return below(file)->pMethods->xClose(below(file));
}

// MARK: Calls passed through

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
  return below(file)->pMethods->xTruncate(below(file), size);
}
static int synchronize(sqlite3_file *file, int flags) {
  return below(file)->pMethods->xSync(below(file), flags);
}
static int get_size(sqlite3_file *file, sqlite3_int64 *size) {
  return below(file)->pMethods->xFileSize(below(file), size);
}
static int lock(sqlite3_file *file, int level) {
  return below(file)->pMethods->xLock(below(file), level);
}
static int unlock(sqlite3_file *file, int level) {
  return below(file)->pMethods->xUnlock(below(file), level);
}
static int check_reserved_lock(sqlite3_file *file, int *result) {
  return below(file)->pMethods->xCheckReservedLock(below(file), result);
}
static int control(sqlite3_file *file, int operation, void *argument) {
  return below(file)->pMethods->xFileControl(below(file), operation, argument);
}
static int sector_size(sqlite3_file *file) {
  return below(file)->pMethods->xSectorSize(below(file));
}
static int characteristics(sqlite3_file *file) {
  const int subpage_reads = 0x8000;  // SQLITE_IOCAP_SUBPAGE_READ: partial pages cannot be checked
  return below(file)->pMethods->xDeviceCharacteristics(below(file)) & ~subpage_reads;
}
static int map_memory(
    sqlite3_file *file, int region, int size, int extends, void volatile **memory) {
  return below(file)->pMethods->xShmMap(below(file), region, size, extends, memory);
}
static int lock_memory(sqlite3_file *file, int offset, int count, int flags) {
  return below(file)->pMethods->xShmLock(below(file), offset, count, flags);
}
static void order_memory(sqlite3_file *file) { below(file)->pMethods->xShmBarrier(below(file)); }
static int unmap_memory(sqlite3_file *file, int removes) {
  return below(file)->pMethods->xShmUnmap(below(file), removes);
}

/// Version 2, without the calls that map pages into memory, which would bypass the checksums.
static const sqlite3_io_methods checked_methods = {
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_pages,
    .xWrite = write_pages,
    .xTruncate = truncate_file,
    .xSync = synchronize,
    .xFileSize = get_size,
    .xLock = lock,
    .xUnlock = unlock,
    .xCheckReservedLock = check_reserved_lock,
    .xFileControl = control,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
    .xShmMap = map_memory,
    .xShmLock = lock_memory,
    .xShmBarrier = order_memory,
    .xShmUnmap = unmap_memory,
};

static bool is_catalogue(const char *path, int flags) {
  if (!path || !(flags & SQLITE_OPEN_MAIN_DB)) return false;
  const char *slash = strrchr(path, '/');
  static const char folder[] = "/.medialibrary", name[] = "/catalogue.sqlite";
  size_t length = sizeof folder - 1;
  return slash && strncmp(slash, name, sizeof name - 1) == 0 && slash - path >= (ptrdiff_t)length &&
         strncmp(slash - length, folder, length) == 0;
}

static int open_file(
    sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *result) {
  (void)vfs;
  if (!is_catalogue(path, flags)) {
    return system_files->xOpen(system_files, path, file, flags, result);
  }
  struct checked_file *checked = (struct checked_file *)file;
  memset(checked, 0, sizeof *checked);
  int code = system_files->xOpen(system_files, path, below(file), flags, result);
  if (code != SQLITE_OK) {
    // A partially opened file is closed by its own methods.
    if (below(file)->pMethods) below(file)->pMethods->xClose(below(file));
    return code;
  }
  unsigned char header[header_size];
  code = below(file)->pMethods->xRead(below(file), header, header_size, 0);
  // A truncated header belongs to a new file, or SQLite will reject it.
  checked->is_checked = code == SQLITE_OK && header[reserve_place] == checksum_size;
  checked->has_no_room = code == SQLITE_OK && !checked->is_checked;
  file->pMethods = &checked_methods;
  return SQLITE_OK;
}

static int registration = SQLITE_ERROR;

static void register_once(void) {
  system_files = sqlite3_vfs_find(NULL);
  if (!system_files) return;
  checked_files = *system_files;
  checked_files.pNext = NULL;
  checked_files.zName = "catalogue-pages";
  checked_files.szOsFile = (int)sizeof(struct checked_file) + system_files->szOsFile;
  checked_files.xOpen = open_file;
  registration = sqlite3_vfs_register(&checked_files, 1);
}

int catalogue_pages_register(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_once);
  return registration;
}

int catalogue_pages_reserve(sqlite3 *database) {
  int size = checksum_size;
  return sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &size);
}

int catalogue_pages_have_no_room(sqlite3 *database) {
  sqlite3_file *file = NULL;
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK || !file || file->pMethods != &checked_methods) return 0;
  return ((struct checked_file *)file)->has_no_room;
}
