import Foundation
import Glibc
import MediaLibrary

/// Compares an import with what a careful person does without a library: copy the files, hash the copies.
struct Comparison {
  let files: SmallFiles
  let folder: URL
  /// File sizes in bytes.
  var sizes = [4_000, 64_000, 1_000_000]
  /// Runs of each size, of which the minimum and median are reported.
  var rounds = 5

  private static let count = 1000

  /// Ways without a library, from the fastest to a script's loop.
  private enum Peer: String, CaseIterable {
    /// One process copies all files, another hashes them. Nothing needs to be on the disk in the end.
    case plain = "cp -r; xxhsum"
    /// The same, but the copies are on the disk before they are hashed.
    case durable = "cp -r; sync -f; xxhsum"
    /// Two processes for each file.
    case single = "cp and xxhsum for each file"

    func command(_ source: String, _ target: String) -> String {
      let hash = "xxhsum -q -H64 '\(target)'/* >/dev/null"
      return switch self {
      case .plain: "cp -r '\(source)' '\(target)' && \(hash)"
      case .durable: "cp -r '\(source)' '\(target)' && sync -f '\(target)' && \(hash)"
      case .single:
        "mkdir '\(target)' && cd '\(source)' && for f in *; do cp \"$f\" '\(target)' "
          + "&& xxhsum -q -H64 '\(target)'/\"$f\" >/dev/null || exit 1; done"
      }
    }
  }

  func run() async throws {
    let heads = Peer.allCases.map { Self.pad($0.rawValue) + "  ratio" }.joined()
    print("\n\(Self.count) files of        import s  processor s\(heads)")
    for size in sizes {
      let source = try files.make(500_000..<(500_000 + Self.count), size: size)
      // Pending writes must not count for the first run.
      sync()
      // For minutes after files were removed, a file system without a journal creates new ones slowly, so small
      // files are kept until everything has been measured.
      let keeps = size * Self.count * rounds * 3 < 4 << 30
      var imports: [Double] = []
      var processor: [Double] = []
      var peers: [Peer: [Double]] = [:]
      for round in 0..<rounds {
        let times = try await takeIn(source, "Library-\(size)-\(round)", keeps: keeps)
        imports.append(times.clock)
        processor.append(times.processor)
        for peer in Peer.allCases where peer != .single || round == 0 {
          let name = "\(peer)-\(size)-\(round)"
          peers[peer, default: []].append(try time(peer, source, name, keeps: keeps))
        }
      }
      for (name, value) in [("least", Measure.least), ("median", Measure.median)] {
        let mine = value(imports)
        let columns = Peer.allCases.map { peer in
          let theirs = value(peers[peer] ?? [])
          return Self.pad(String(format: "%.3f", theirs)) + String(format: "%7.2f", theirs / mine)
        }
        let label = "\(size) bytes, \(name)"
        print(
          label + String(repeating: " ", count: max(0, 22 - label.count))
            + String(format: "%9.3f %12.3f", mine, value(processor)) + columns.joined())
      }
      if !keeps { try FileManager.default.removeItem(at: source) }
    }
  }

  /// Imports a folder into a new library.
  private func takeIn(
    _ source: URL, _ name: String, keeps: Bool
  ) async throws -> (clock: Double, processor: Double) {
    let library = PhotoLibrary(at: folder.appending(path: name))
    library.hookSelection = .none
    try library.open()
    let start = Measure.processorSeconds
    let clock = try await Measure.seconds {
      let report = try await library.importFiles([source])
      precondition(report.imported.count == Self.count)
    }
    let processor = Measure.processorSeconds - start
    library.close()
    if !keeps { try FileManager.default.removeItem(at: library.url) }
    sync()
    return (clock, processor)
  }

  private func time(
    _ peer: Peer, _ source: URL, _ name: String, keeps: Bool
  ) throws -> Double {
    let target = folder.appending(path: name).path
    let clock = ContinuousClock()
    let start = clock.now
    try Self.shell(peer.command(source.path, target))
    let time = (clock.now - start) / .seconds(1)
    if !keeps { try FileManager.default.removeItem(atPath: target) }
    sync()
    return time
  }

  private static func pad(_ text: String) -> String {
    String(repeating: " ", count: max(0, 29 - text.count)) + text
  }

  /// Runs a command. Foundation's `Process` takes longer to start than `cp` takes.
  private static func shell(_ command: String) throws {
    let words: [String] = ["sh", "-c", command]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    var status: Int32 = 0
    guard posix_spawn(&process, "/bin/sh", nil, nil, &arguments, environ) == 0,
      waitpid(process, &status, 0) == process, status == 0
    else { throw CocoaError(.featureUnsupported) }
  }
}
