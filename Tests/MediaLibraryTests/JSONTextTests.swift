import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaLibrary

/// Foundation reads what the journal and the catalogue write.
@Suite struct JSONTextTests {
  /// Random values for every property, and nil for optional ones.
  private struct Chance {
    var random: SeededGenerator
    /// True for values in all properties.
    var isFull = false

    mutating func flag() -> Bool { Bool.random(using: &random) }
    mutating func count() -> Int { isFull ? 2 : Int.random(in: 0..<4, using: &random) }

    mutating func maybe<Value>(_ value: (inout Chance) -> Value) -> Value? {
      isFull || flag() ? value(&self) : nil
    }

    mutating func number() -> Double {
      let number = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random))
      return number.isFinite ? number : -0.5
    }

    mutating func text() -> String {
      String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 0..<24, using: &random)).compactMap { _ in
            let limit: UInt32 = flag() ? 0x80 : 0x11_0000
            return Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random))
          }))
    }

    mutating func status() -> FileStatus {
      var status = FileStatus(stat())
      status.device = .random(in: 0 ... .max, using: &random)
      status.inode = .random(in: 0 ... .max, using: &random)
      status.size = .random(in: .min ... .max, using: &random)
      status.modified = .random(in: .min...9, using: &random)
      status.changed = .random(in: -9...9, using: &random)
      status.mode = .random(in: 0 ... .max, using: &random)
      status.linkCount = .random(in: 0...100, using: &random)
      return status
    }

    mutating func location() -> GeographicLocation {
      GeographicLocation(latitude: number(), longitude: number(), altitude: maybe { $0.number() })
    }

    mutating func facts() -> MediaFacts {
      var facts = MediaFacts()
      facts.container = maybe { $0.text() }
      facts.codec = maybe { $0.text() }
      facts.codecName = maybe { $0.text() }
      facts.width = .random(in: .min ... .max, using: &random)
      facts.height = .random(in: 0...9999, using: &random)
      facts.frameRate = maybe { $0.text() }
      facts.duration = number()
      facts.frameCount = maybe { .random(in: 0...99, using: &$0.random) }
      facts.timecode = maybe { $0.text() }
      facts.color = maybe { $0.text() }
      facts.audioChannels = maybe { .random(in: 0...99, using: &$0.random) }
      facts.sampleRate = maybe { .random(in: 0...99, using: &$0.random) }
      facts.make = maybe { $0.text() }
      facts.model = maybe { $0.text() }
      facts.software = maybe { $0.text() }
      facts.reel = maybe { $0.text() }
      facts.scene = maybe { $0.text() }
      facts.take = maybe { $0.text() }
      facts.takeIdentifier = maybe { $0.text() }
      facts.creationDate = maybe { $0.number() }
      facts.location = maybe { $0.location() }
      facts.isProRes = flag()
      facts.isRAW = flag()
      facts.isLinearRAW = maybe { $0.flag() }
      return facts
    }

    mutating func resource() -> ResourceRecord {
      ResourceRecord(
        type: AssetResourceType.allCases.randomElement(using: &random) ?? .photo, path: text(),
        name: text(), uti: text(), size: .random(in: 0 ... .max, using: &random), hash: text(),
        modified: .random(in: .min ... .max, using: &random))
    }

    mutating func asset() -> AssetRecord {
      AssetRecord(
        id: text(), mediaType: AssetMediaType.allCases.randomElement(using: &random) ?? .unknown,
        created: number(), added: number(), modified: number(), trashed: maybe { $0.number() },
        favorite: flag(), location: maybe { $0.location() }, facts: facts(),
        resources: (0..<count()).map { _ in resource() })
    }

    mutating func update() -> JournalEntry.Update {
      JournalEntry.Update(
        id: text(), favorite: maybe { $0.flag() }, created: maybe { $0.number() },
        location: maybe { .init(value: $0.maybe { $0.location() }) },
        trashed: maybe { .init(value: $0.maybe { $0.number() }) },
        resources: maybe { chance in (0..<chance.count()).map { _ in chance.resource() } })
    }

    mutating func album() -> JournalEntry.AlbumChange {
      .init(
        id: text(), title: maybe { $0.text() }, created: maybe { $0.number() },
        modified: maybe { $0.number() },
        added: maybe { chance in (0..<chance.count()).map { _ in chance.text() } },
        removed: maybe { chance in (0..<chance.count()).map { _ in chance.text() } },
        arranged: maybe { chance in (0..<chance.count()).map { _ in chance.text() } },
        isDeleted: maybe { $0.flag() })
    }

    mutating func entry() -> JournalEntry {
      var entry = JournalEntry(
        sequence: .random(in: 0 ... .max, using: &random), date: number())
      entry.begins = maybe { $0.flag() }
      entry.staging = maybe { $0.text() }
      entry.moves = (0..<count()).map { _ in .init(from: text(), to: text(), status: status()) }
      entry.created = (0..<count()).map { _ in asset() }
      entry.updates = (0..<count()).map { _ in update() }
      entry.removed = (0..<count()).map { _ in text() }
      entry.unlinks = (0..<count()).map { _ in .init(path: text(), status: status()) }
      entry.albums = maybe { chance in (0..<chance.count()).map { _ in chance.album() } }
      entry.note = maybe { $0.text() }
      return entry
    }
  }

  @Test func journal_entries_survive_a_json_round_trip() throws {
    var chance = Chance(random: SeededGenerator(seed: 5))
    for _ in 0..<500 {
      let entry = chance.entry()
      let bytes = try JSONText.bytes(entry)
      #expect(!bytes.contains(10), "a line of the journal")
      let read = try JSONDecoder().decode(JournalEntry.self, from: Data(bytes))
      #expect(read == entry, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  /// Compares the members of the JSON with the properties of the value.
  private func expectAllWritten(_ value: Any, _ json: Any, _ name: String) throws {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      let wrapped = try #require(mirror.children.first, "\(name) has a value in this test")
      try expectAllWritten(wrapped.value, json, name)
    case .collection:
      let elements = try #require(json as? [Any], "\(name)")
      #expect(elements.count == mirror.children.count && !elements.isEmpty, "\(name)")
      for (child, element) in zip(mirror.children, elements) {
        try expectAllWritten(child.value, element, name)
      }
    case .struct where !mirror.children.isEmpty && !(value is any Numeric) && !(value is String):
      let members = try #require(json as? [String: Any], "\(name)")
      #expect(members.count == mirror.children.count, "\(name)")
      for child in mirror.children {
        let label = try #require(child.label)
        let member = try #require(members[label], "\(name).\(label) is not encoded")
        try expectAllWritten(child.value, member, name + "." + label)
      }
    default: break
    }
  }

  @Test func every_property_is_encoded() throws {
    var chance = Chance(random: SeededGenerator(seed: 6), isFull: true)
    let entry = chance.entry()
    let json = try JSONSerialization.jsonObject(with: Data(JSONText.bytes(entry)))
    try expectAllWritten(entry, json, "entry")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func numbers_json_cannot_express_are_refused(number: Double) {
    var facts = MediaFacts()
    facts.duration = number
    let error = #expect(throws: MediaLibraryError.self) { try JSONText.bytes(facts) }
    #expect(error?.code == .invalidArgument)
  }
}
