import Foundation
import MediaLibrary

/// An import next to what a careful person does without a library: copy the files, hash them.
enum Comparison {
  static func run(_ files: SmallFiles, in folder: URL) async throws {
    print(
      "\n1000 files                  import s    cp+xxhsum s   ratio   cp+sync+xxhsum s   ratio"
        + "   processor s, import")
    for size in [4_000, 64_000, 1_000_000] {
      let source = try files.make(500_000..<501_000, size: size)
      // Not to be counted with the first who brings something to the disk.
      try shell("sync -f '\(source.path)'")
      var (imports, copies, durable): ([Double], [Double], [Double]) = ([], [], [])
      var processor: [Double] = []
      for round in 0..<3 {
        let library = PhotoLibrary(at: folder.appending(path: "Library-\(size)-\(round)"))
        library.hookSelection = .none
        try library.open()
        let start = Measure.processorSeconds
        imports.append(
          try await Measure.seconds {
            let report = try await library.importFiles([source])
            precondition(report.imported.count == 1000)
          })
        processor.append(Measure.processorSeconds - start)
        let target = folder.appending(path: "Copy-\(size)-\(round)").path
        copies.append(
          try await Measure.seconds {
            try shell(
              "cp -r '\(source.path)' '\(target)' && xxhsum -q -H64 '\(target)'/* >/dev/null")
          })
        try FileManager.default.removeItem(atPath: target)
        durable.append(
          try await Measure.seconds {
            try shell(
              "cp -r '\(source.path)' '\(target)' && sync -f '\(target)' "
                + "&& xxhsum -q -H64 '\(target)'/* >/dev/null")
          })
        try FileManager.default.removeItem(atPath: target)
        try FileManager.default.removeItem(at: library.url)
      }
      let (mine, theirs, synced) = (imports.min() ?? 0, copies.min() ?? 0, durable.min() ?? 0)
      print(
        String(
          format: "%9d bytes each  %12.3f %14.3f %7.2f %18.3f %7.2f %18.3f", size, mine, theirs,
          theirs / mine, synced, synced / mine, processor.min() ?? 0))
      try FileManager.default.removeItem(at: source)
    }
  }

  private static func shell(_ command: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.featureUnsupported) }
  }
}
