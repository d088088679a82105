import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaLibrary

@Suite struct JournalLimitTests {
  @Test func a_journal_too_long_to_replace_the_catalogue_throws_an_error() throws {
    let test = try TestLibrary()
    try test.library.open()
    test.library.close()
    let asset = ForgedJournal.asset(id: "A-1", path: "2026/11/a.png")
    try ForgedJournal.append(ForgedJournal.entry(created: [asset]), to: test.root)
    let journal = Journal(
      path: test.root + "/.medialibrary/journal",
      files: LibraryFiles(calls: SystemLibraryFileCalls()))
    for limit in [Int64(100), Journal.longestInMemory] {
      let error: MediaLibraryError?
      do throws(MediaLibraryError) {
        _ = try journal.read(limit: limit) { _, _ in true }
        error = nil
      } catch let failure { error = failure }
      #expect((error == nil) == (limit > 100))
      if let error {
        #expect(error.code == .catalogueFailed)
        #expect(error.message.contains("as a user with write access"), "\(error)")
        #expect(!error.message.contains("more than any library's"))
      }
    }
  }
}
