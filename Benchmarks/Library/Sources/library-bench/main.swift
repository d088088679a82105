// Measures how fast a library answers and imports files.
//
//   swift run -c release library-bench [ASSETS] [FOLDER] [SIZES] [ROUNDS]
//
// Makes ASSETS small files (100,000) in FOLDER (the temporary folder), imports them, and asks questions. Then
// imports 1,000 files of each of SIZES (4000,64000,1000000), ROUNDS (5) times, and compares that with cp and
// xxhsum (Debian: xxhash) on the same files.

import Foundation
import MediaLibrary

let arguments = CommandLine.arguments
let count = arguments.count > 1 ? Int(arguments[1]) ?? 100_000 : 100_000
let place =
  arguments.count > 2 ? URL(filePath: arguments[2]) : FileManager.default.temporaryDirectory
let folder = place.appending(path: "library-bench-\(ProcessInfo.processInfo.processIdentifier)")
defer { try? FileManager.default.removeItem(at: folder) }

let library = PhotoLibrary(at: folder.appending(path: "Library"))
library.hookSelection = .none
let files = try SmallFiles(in: folder.appending(path: "Files"))

// In parts, so that the disk holds only a few files twice.
var taken = 0.0
for start in stride(from: 0, to: count, by: 2000) {
  let part = try files.make(start..<min(start + 2000, count))
  var options = ImportOptions()
  options.moves = true
  taken += try await Measure.seconds {
    let report = try await library.importFiles([part], options: options)
    precondition(report.failures.isEmpty, "\(report.failures.first?.message ?? "")")
  }
  try FileManager.default.removeItem(at: part)
}
print("\(count) assets imported (moved), \(Measure.text(taken)) s")
if count > 0 { try await Questions.ask(library) }
var comparison = Comparison(files: files, folder: folder)
if arguments.count > 3 {
  comparison.sizes = arguments[3].split(separator: ",").compactMap { Int($0) }
}
if arguments.count > 4 { comparison.rounds = Int(arguments[4]) ?? comparison.rounds }
try await comparison.run()
