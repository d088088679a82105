import Foundation
import Glibc
import Logging
import TestSupport
import Testing

@testable import RecorderService

/// The services that the gateway has Avahi announce.
struct AnnouncementTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func configuration(_ text: String) throws -> ServiceConfiguration {
    try ServiceConfiguration(text: text, path: "serve.toml")
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func only_addresses_reachable_from_other_machines_are_announced() throws {
    let own = try configuration(
      "[[channel]]\nname = \"a\"\nhyperdeck = \"127.0.0.1:9993\"")
    #expect(Announcement.all(of: own, port: 8437).isEmpty)
    let wide = try configuration(
      """
      listen = "0.0.0.0"
      allow = ["10.0.0.0/8"]
      [[channel]]
      name = "a"
      title = "A & B"
      hyperdeck = "0.0.0.0"
      [[channel]]
      name = "b"
      hyperdeck = "127.0.0.1:9994"
      """)
    let all = Announcement.all(of: wide, port: 8437)
    #expect(
      all.map(\.fileName) == ["recordctl-page-8437.service", "recordctl-hyperdeck-9993.service"])
    #expect(all[0].text.contains("<type>_http._tcp</type>") && all[0].text.contains("8437"))
    #expect(all[1].text.contains("_hyperdeck_ctrl._tcp") && all[1].text.contains("A &amp; B"))
    var secure = wide
    secure.certificate = .init(chainPath: "a", keyPath: "b")
    #expect(Announcement.all(of: secure, port: 8437)[0].text.contains("_https._tcp"))
  }

  @Test(
    .tags(.judges), .enabled(if: Judges.find("xmllint") != nil, "xmllint is not installed"))
  func each_announcement_is_well_formed_xml() throws {
    let wide = try configuration("listen = \"0.0.0.0\"\n[[channel]]\nname = \"a\"")
    for announcement in Announcement.all(of: wide, port: 1) {
      let file = try folder.write(announcement.text, announcement.fileName)
      #expect(try Judges.run("xmllint", ["--noout", file.path]).status == 0)
    }
  }

  @Test func announcement_files_are_added_changed_and_removed() throws {
    let announcements = AnnouncementFolder(logger: Logger(label: "test"))
    let (a, b) = (
      Announcement(fileName: "a.service", text: "1"), Announcement(fileName: "b.service", text: "2")
    )
    try folder.write("left by a crash", "a.service")
    try folder.write("of somebody else", "other.service")
    announcements.announce([a, b], in: folder.path)
    #expect(try files() == ["a.service", "b.service", "other.service"])
    #expect(try String(contentsOf: folder.url("a.service"), encoding: .utf8) == "1")
    var facts = stat()
    #expect(lstat(folder.path("a.service"), &facts) == 0 && facts.st_mode & 0o777 == 0o644)
    let changed = Announcement(fileName: "b.service", text: "3")
    announcements.announce([changed], in: folder.path)
    #expect(try files() == ["b.service", "other.service"])
    #expect(try String(contentsOf: folder.url("b.service"), encoding: .utf8) == "3")
    announcements.withdraw()
    #expect(try files() == ["other.service"])
  }

  /// Avahi compares modification times in whole seconds.
  @Test func each_change_within_a_second_gets_a_new_modification_time() throws {
    let announcements = AnnouncementFolder(logger: Logger(label: "test"))
    var seconds: [Int] = []
    for text in ["1", "2", "3", "4"] {
      announcements.announce([Announcement(fileName: "a.service", text: text)], in: folder.path)
      var facts = stat()
      try #require(lstat(folder.path("a.service"), &facts) == 0)
      seconds.append(facts.st_mtim.tv_sec)
    }
    #expect(Set(seconds).count == 4, "\(seconds)")
  }

  @Test(.timeLimit(.minutes(10))) func announcements_last_until_the_gateway_ends() throws {
    try folder.makeFolder("avahi")
    let services = folder.url("avahi")
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: services.path)
    }
    let gateway = try ServeProcess(
      channels: ["a"], in: folder,
      configuration:
        "allow = [\"127.0.0.1\", \"10.255.255.1\"]\nmdns = { folder = \"\(services.path)\" }",
      keys: "hyperdeck = \"0.0.0.0:29993\"")
    defer { gateway.end() }
    try waitUntil("the deck is announced") {
      try names() == ["recordctl-hyperdeck-29993.service"]
    }
    try gateway.reload(untilItReports: "channel a: changed") {
      $0 = $0.replacing("0.0.0.0:29993", with: "0.0.0.0:29994")
    }
    try waitUntil("the other port is announced") {
      try names() == ["recordctl-hyperdeck-29994.service"]
    }
    gateway.end()
    #expect(try names().isEmpty)
  }
}
