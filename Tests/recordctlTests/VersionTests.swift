import Foundation
import MediaCore
import TestSupport
import Testing

/// The version, which is defined in a single line of the sources.
@Suite struct VersionTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardized

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  @Test(.tags(.judges)) func each_place_names_the_version_of_the_package() throws {
    let version = PackageVersion.current
    #expect(version.split(separator: ".").compactMap { UInt($0) }.count == 3)
    #expect(try Recordctl(["--version"]).output == "recordctl \(version)\n")
    #expect(try text("debian/changelog").hasPrefix("prores-recorder (\(version)) "))
    #expect(try text("CHANGELOG.md").contains("\n## [\(version)] - 20"))
    #expect(try text("README.md").contains(#"prores-recorder.git", from: "\#(version)")"#))
    let script = Self.root.appending(path: "scripts/version").path
    #expect(try Judges.run("bash", [script]).output == "\(version)\n")
  }

  @Test func the_debian_build_dependencies_match_the_installed_packages() throws {
    var installed: Set = ["debhelper-compat (= 13)"]
    for line in try text("scripts/debian-packages").split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      // A question mark marks a package that not every release has.
      guard words.first == "build", let name = words.last, !name.hasSuffix("?") else { continue }
      installed.insert(name)
    }
    let control = try text("debian/control").split(separator: "\n").map(String.init)
    let lines = control.drop { $0 != "Build-Depends:" }.dropFirst().prefix { $0.hasPrefix(" ") }
    let wanted = lines.map { String($0.dropFirst().prefix { $0 != "," }) }
    #expect(wanted.count > 10)
    #expect(Set(wanted) == installed)
  }
}
