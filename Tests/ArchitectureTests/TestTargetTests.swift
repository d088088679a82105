import Foundation
import Testing

/// Compares the folders below `Tests` with the modules below `Sources`, and the imports of each with
/// `Package.swift` and the table of modules.
struct TestTargetTests {
  /// Test targets that use modules after their own in the table: whole recordings show the devices' faults, our
  /// own `verify` checks movies, and the command receives signals.
  private static let leaning: [String: Set<String>] = [
    "CaptureDevicesTests": ["TakeReports", "VideoRecorder", "MovieTools"],
    "VideoRecorderTests": ["MovieTools"],
    "CSignalsTests": ["recordctl"],
  ]

  /// Helpers for several targets, and a program in C.
  private static let others: Set<String> = [
    "ArchitectureTests", "TestSupport", "CaptureTestSupport", "KernelCheck",
  ]

  /// Further targets of a module with many tests, which several processors compile at the same time.
  private static let further = [
    "AVFoundationAssetTests": "AVFoundationCompat", "CoreMediaTests": "AVFoundationCompat",
  ]

  private static func module(ofTests folder: String) -> String {
    further[folder] ?? String(folder.dropLast(5))
  }

  @Test func every_test_folder_is_named_after_a_module() throws {
    let modules = try SourceTree.documentedModules()
    let folders = try SourceTree.folders(of: "Tests").filter { !Self.others.contains($0) }
    #expect(folders.count > 15)
    for folder in folders {
      #expect(
        folder.hasSuffix("Tests") && modules.contains(Self.module(ofTests: folder)), "\(folder)")
    }
  }

  @Test func tests_import_only_their_module_and_those_above_it() throws {
    let modules = try SourceTree.documentedModules()
    for folder in try SourceTree.folders(of: "Tests") {
      guard let own = modules.firstIndex(of: Self.module(ofTests: folder)) else { continue }
      let leaning = Self.leaning[folder] ?? []
      var unused = leaning
      for (file, imported) in try SourceTree.imports(below: "Tests/\(folder)") {
        guard let place = modules.firstIndex(of: imported), place > own else { continue }
        unused.remove(imported)
        #expect(leaning.contains(imported), "\(file) imports \(imported), which is listed below")
      }
      #expect(unused.isEmpty, "\(folder) does not need \(unused.sorted())")
    }
  }

  @Test func test_targets_depend_only_on_what_they_import() throws {
    let modules = Set(
      (try SourceTree.documentedModules() + ["TestSupport", "CaptureTestSupport"])
        .map { $0.replacing("-", with: "_") })
    let targets = try Self.targets()
    #expect(Set(targets.keys).union(["KernelCheck"]) == Set(try SourceTree.folders(of: "Tests")))
    for (target, dependencies) in targets {
      // The module of a program has underscores for the hyphens of its name.
      let dependencies = Set(dependencies.map { $0.replacing("-", with: "_") })
      let imported = Set(try SourceTree.imports(below: "Tests/\(target)").map(\.module))
      #expect(
        modules.intersection(dependencies) == modules.intersection(imported).subtracting([target]),
        "Package.swift, \(target)")
    }
  }

  /// The dependencies that `Package.swift` gives each target below `Tests`.
  private static func targets() throws -> [String: Set<String>] {
    let text = try String(
      contentsOf: SourceTree.root.appending(path: "Package.swift"), encoding: .utf8)
    var targets: [String: Set<String>] = [:]
    for part in text.components(separatedBy: "arget(").dropFirst() {
      guard let name = part.prefixMatch(of: /\s*name: "(\w+)"/)?.1,
        name.hasSuffix("Tests") || name.hasSuffix("TestSupport")
      else { continue }
      let list = part.firstMatch(of: /dependencies: \[((?:.|\n)*?)\](?:,|\))/)?.1 ?? ""
      targets[String(name)] = Set(list.matches(of: /"([\w-]+)"/).map { String($0.1) })
    }
    return targets
  }
}
