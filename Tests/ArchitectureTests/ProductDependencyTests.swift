import Foundation
import Testing

/// A program that uses one library builds only what that library needs.
struct ProductDependencyTests {
  private static let manifest = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Package.swift").standardized

  /// A target's direct dependencies in the manifest: names of targets and of packages' products.
  private static func dependencies() throws -> [String: [String]] {
    let text = try String(contentsOf: manifest, encoding: .utf8)
    let target = /\.target\(\s*name: "(\w+)",\s*dependencies: \[([^\]]*)\]/
    return Dictionary(
      text.matches(of: target).map { match in
        let list = String(match.2).replacing("package: \"", with: "")
        let names = list.matches(of: /"(\w+)"/).map { String($0.1) }
        return (String(match.1), names + (list.contains(/\bsystem\b/) ? ["SystemPackage"] : []))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// A target's direct and indirect dependencies.
  private static func closure(of name: String) throws -> Set<String> {
    let dependencies = try dependencies()
    var found: Set<String> = []
    var open = [name]
    while let next = open.popLast() {
      guard found.insert(next).inserted else { continue }
      open += dependencies[next] ?? []
    }
    return found
  }

  @Test func the_codec_needs_no_other_library() throws {
    #expect(
      try Self.closure(of: "ProRes")
        == ["ProRes", "CProResKernels", "MediaCore", "CLinux", "SystemPackage"])
  }

  @Test func the_movie_file_needs_no_codec() throws {
    #expect(
      try Self.closure(of: "QuickTime")
        == ["QuickTime", "MediaCore", "CLinux", "CXXHash", "SystemPackage"])
  }

  @Test func only_the_media_library_needs_a_database_and_hooks() throws {
    for name in try Self.dependencies().keys
    where !["MediaLibrary", "AVFoundationCompat"].contains(name) {
      let all = try Self.closure(of: name)
      #expect(!all.contains("GRDB") && !all.contains("Subprocess"), "\(name)")
    }
  }

  /// A program that only records needs no web server and no network protocols.
  @Test func only_the_gateway_and_its_protocols_need_the_network() throws {
    let network: Set = [
      "RecorderServer", "HyperDeck", "OSC", "RecorderService", "NIOCore", "NIOPosix", "NIOSSL",
    ]
    let imports = try SourceTree.imports(below: "Sources/recordctl").map(\.module)
    #expect(imports.count > 100 && network.isDisjoint(with: imports))
    for name in try Self.dependencies().keys where !network.contains(name) {
      #expect(network.isDisjoint(with: try Self.closure(of: name)), "\(name)")
    }
    #expect(try Self.closure(of: "RecorderService").contains("NIOHTTP1"))
  }
}
