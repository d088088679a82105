import ASCMHL
import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import ObjectStorage

/// The chain of manifests, the only object that is replaced.
struct ChainTests {
  private static let chain = "card/ascmhl/ascmhl_chain.xml"

  /// A store in which another program writes the chain just before it is replaced.
  private static func raced(_ store: MemoryStore, _ bytes: [UInt8]) -> DyingTransport {
    let isFirst = Mutex(true)
    return DyingTransport(
      store, isDead: { false },
      before: { request in
        guard request.method == "PUT", request.path.hasSuffix("ascmhl_chain.xml"),
          isFirst.withLock({ first in
            defer { first = false }
            return first
          })
        else { return }
        store.put(bytes, Self.chain, tag: store.tags == .none ? "" : "another")
      })
  }

  @Test func the_chain_is_replaced_under_the_etag_of_the_server() throws {
    let rig = try StorageRig()
    let store = MemoryStore(tags: .own)
    #expect(try rig.upload(to: store).isSound)
    let second = try rig.upload(to: store)
    #expect(second.isSound, "\(second.destinations[0].failures)")
    let report = try rig.verify(store)
    #expect(report.manifestCount == 2 && report.isSound, "\(report)")
  }

  @Test(arguments: [false, true])
  func a_chain_written_meanwhile_by_another_program_is_kept(refusesConditions: Bool) throws {
    let rig = try StorageRig()
    let store = MemoryStore(refusesConditions: refusesConditions, tags: .own)
    #expect(try rig.upload(to: store).isSound)
    let others = [UInt8]("another program's".utf8)
    let report = try rig.upload(to: Self.raced(store, others))
    #expect(store.bytes(Self.chain) == others)
    let failure = try #require(report.destinations[0].failures.first)
    #expect(failure.path == "ascmhl" && failure.message.contains("ascmhl_chain.xml"))
  }

  /// The other upload adds its manifest between ours and the chain, or before ours under the same name.
  @Test(arguments: [true, false], [true, false])
  func two_simultaneous_uploads_each_get_a_manifest(
    isFirst: Bool, isSameName: Bool
  ) throws {
    let rig = try StorageRig()
    let store = MemoryStore()
    if !isFirst { #expect(try rig.upload(to: store).isSound) }
    let others = try StorageRig()
    try others.folder.write("more", "card/more.txt")
    var settings = rig.settings
    settings.client.now = { 1e9 }
    var theirs = others.settings
    theirs.client.now = { isSameName ? 1e9 : 1e9 + 5 }
    let other = theirs
    let hasRaced = Mutex(false)
    let suffix = isSameName ? ".mhl" : "ascmhl_chain.xml"
    let racing = DyingTransport(
      store, isDead: { false },
      before: { request in
        guard request.method == "PUT", request.path.hasSuffix(suffix),
          !hasRaced.withLock({ raced in
            defer { raced = true }
            return raced
          })
        else { return }
        let report = try? others.upload(to: store, settings: other)
        #expect(report?.isSound == true)
      })
    let report = try rig.upload(to: racing, settings: settings)
    #expect(report.isSound, "\(report.destinations[0].failures)")
    let found = try rig.verify(store)
    #expect(found.isSound && found.manifestCount == (isFirst ? 2 : 3), "\(found) \(store.keys)")
    #expect(found.verifiedCount == 3)
    let manifest = try #require(report.destinations[0].manifest)
    #expect(store.keys.contains(String(manifest.dropFirst("s3://takes/".count))))
  }

  /// As after a machine that failed between writing its manifest and the chain.
  @Test func orphaned_manifests_are_added_to_the_chain() throws {
    let rig = try StorageRig()
    let store = MemoryStore()
    #expect(try rig.upload(to: store).isSound)
    let chain = try #require(store.bytes(Self.chain))
    let before = Set(store.keys)
    #expect(try rig.upload(to: store).isSound)
    let orphan = try #require(store.keys.first { !before.contains($0) })
    store.put(chain, Self.chain)
    #expect(try !rig.verify(store).isSound)
    let bytes = try #require(store.bytes(orphan))
    store.put(bytes, orphan.replacing("/0002_", with: "/0001_other_"))
    store.put(bytes + [0x0A], orphan.replacing("/0002_", with: "/0001_another_"))
    #expect(try rig.upload(to: store).isSound)
    let found = try rig.verify(store)
    #expect(found.isSound && found.manifestCount == 4, "\(found) \(store.keys)")
  }

  @Test func without_an_etag_nothing_is_replaced_and_it_is_reported() throws {
    let rig = try StorageRig()
    let store = MemoryStore(tags: .none)
    let first = try rig.upload(to: store)
    #expect(first.isSound, "\(first.destinations[0].failures)")
    let (keys, chain) = (store.keys, store.bytes(Self.chain))
    try rig.folder.write("more", "card/more.txt")
    let second = try rig.upload(to: store)
    let failure = try #require(second.destinations[0].failures.first)
    #expect(failure.path == "ascmhl" && failure.message.contains("ETag"), "\(failure.message)")
    #expect(store.bytes(Self.chain) == chain, "the chain is unchanged")
    #expect(
      Set(store.keys) == Set(keys + ["card/more.txt"]), "no manifest is outside the chain")
    #expect(try rig.verify(store).isSound)
  }
}
