import Foundation
import Testing

@testable import MediaLibrary

/// What the journal and the catalogue write down is what Foundation reads.
@Suite struct CompactJSONTests {
  private struct Leaf: Codable, Equatable {
    var text: String?
    var number: Double
    var flag: Bool
  }

  private struct Tree: Codable, Equatable {
    var name: String
    var count: Int64
    var size: UInt64
    var leaves: [Leaf]
    var named: [String: Leaf]
    var empty: [Int]
  }

  private func tree(_ random: inout some RandomNumberGenerator) -> Tree {
    func text() -> String {
      String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 0..<12, using: &random)).compactMap { _ in
            let limit: UInt32 = Bool.random(using: &random) ? 0x80 : 0x11_0000
            return Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random))
          }))
    }
    func leaf() -> Leaf {
      let number = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random))
      return Leaf(
        text: Bool.random(using: &random) ? text() : nil, number: number.isFinite ? number : -0.5,
        flag: Bool.random(using: &random))
    }
    return Tree(
      name: text(), count: .random(in: .min ... .max, using: &random),
      size: .random(in: 0 ... .max, using: &random),
      leaves: (0..<Int.random(in: 0..<4, using: &random)).map { _ in leaf() },
      named: Dictionary(uniqueKeysWithValues: (0..<3).map { ("\($0) \(text())", leaf()) }),
      empty: [])
  }

  @Test func whatever_is_written_is_read_as_it_was() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<500 {
      let tree = tree(&random)
      let bytes = try CompactJSON.bytes(tree)
      #expect(!bytes.contains(10), "a line of the journal")
      let read = try JSONDecoder().decode(Tree.self, from: Data(bytes))
      #expect(read == tree, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func numbers_that_json_has_not_are_refused(number: Double) {
    let error = #expect(throws: MediaLibraryError.self) {
      try CompactJSON.bytes([Leaf(text: nil, number: number, flag: true)])
    }
    #expect(error?.code == .invalidArgument)
  }

  private struct Nested: Encodable {
    enum Keys: CodingKey { case inner }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      var inner = container.nestedContainer(keyedBy: Keys.self, forKey: .inner)
      try inner.encode(1, forKey: .inner)
    }
  }

  @Test func containers_within_a_values_own_are_refused() {
    let error = #expect(throws: MediaLibraryError.self) { try CompactJSON.bytes(Nested()) }
    #expect(error?.code == .invalidArgument)
  }
}
