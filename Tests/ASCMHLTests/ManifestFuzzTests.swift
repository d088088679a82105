import Foundation
import TestSupport
import Testing

@testable import ASCMHL

/// Manifests and chains with random changes, together with a damaged file.
@Suite struct ManifestFuzzTests {
  /// Reproducible random numbers (SplitMix64).
  private struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = state
      word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
      return word ^ (word >> 31)
    }
  }

  /// Text that is difficult in XML and paths.
  private static let words = [
    "<", ">", "&", "\"", "'", "/", "<!--", "-->", "<![CDATA[", "]]>", "&#0;", "&#xFFFF;", "&amp;",
    "..",
    "<hash>", "</hash>", "<path>", "</path>", "<hashlist", "</hashlist>", "</ascmhldirectory>",
    "action=\"failed\"", "sequencenr=\"9223372036854775807\"", "xxh64", "c4", "\u{FEFF}", "\0",
    "<?x ?>",
  ]

  private func mutated(_ original: [UInt8], _ numbers: inout SeededNumbers) -> [UInt8] {
    var bytes = original
    for _ in 0..<Int.random(in: 1...3, using: &numbers) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &numbers)
      let end = min(bytes.count, place + Int.random(in: 1...60, using: &numbers))
      switch Int.random(in: 0..<6, using: &numbers) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
      case 2: bytes.removeSubrange(place..<end)
      case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 4: bytes.removeSubrange(place...)
      default:
        bytes.insert(contentsOf: (Self.words.randomElement(using: &numbers) ?? "").utf8, at: place)
      }
    }
    return bytes
  }

  /// A copy of three files, one of them damaged, with its manifest and chain.
  private func damagedCopy() throws -> (folder: TemporaryFolder, chain: [UInt8], manifest: [UInt8])
  {
    let folder = try TemporaryFolder()
    try folder.writeCopy(["a.mov": "one", "c/b.mov": "two", "d.mov": "three"])
    #expect(try folder.verify().isSound)
    try folder.damage("c/b.mov")
    return (
      folder, try folder.bytes("ascmhl/ascmhl_chain.xml"), try folder.bytes("ascmhl/0001.mhl")
    )
  }

  @Test(.tags(.slow), arguments: [1, 2])
  func altered_manifests_never_make_a_damaged_copy_sound(seed: UInt64) throws {
    let (folder, chain, manifest) = try damagedCopy()
    var numbers = SeededNumbers(state: seed)
    for round in 0..<(TestRun.isThorough ? 1500 : 120) {
      let changesChain = round.isMultiple(of: 2)
      let bytes = mutated(changesChain ? chain : manifest, &numbers)
      try folder.write(changesChain ? bytes : chain, "ascmhl/ascmhl_chain.xml")
      try folder.write(changesChain ? manifest : bytes, "ascmhl/0001.mhl")
      let found = try folder.verify()
      #expect(!found.isSound, "seed \(seed), round \(round)")
    }
  }

  /// If the chain vouches for the changed manifest, only the files listed there are checked.
  @Test(.tags(.slow), arguments: [3, 4])
  func files_listed_in_a_forged_manifest_are_still_checked(seed: UInt64) throws {
    let (folder, _, manifest) = try damagedCopy()
    var numbers = SeededNumbers(state: seed)
    var readable = 0
    for round in 0..<(TestRun.isThorough ? 1000 : 250) {
      let bytes = mutated(manifest, &numbers)
      try folder.write(bytes, "ascmhl/0001.mhl")
      try folder.write(
        TemporaryFolder.chain([("0001.mhl", bytes)]), "ascmhl/ascmhl_chain.xml")
      let copy = try CopyFolder(folder.url.path)
      let history = try MHLHistory(copy)
      readable += history.problems.isEmpty ? 1 : 0
      guard let entry = history.entry("c/b.mov"), !entry.hashes.isEmpty else { continue }
      #expect(try !CopyVerification.verify(copy).isSound, "seed \(seed), round \(round)")
    }
    // Some changed manifests must be readable, or nothing was tested.
    #expect(readable > (TestRun.isThorough ? 20 : 4))
  }
}
