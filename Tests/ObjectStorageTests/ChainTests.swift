import ASCMHL
import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import ObjectStorage

/// The chain of the manifests, the one object that is replaced.
struct ChainTests {
  private static let chain = "card/ascmhl/ascmhl_chain.xml"

  /// A store whose chain another program writes at the moment before it is replaced.
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

  @Test func the_chain_is_replaced_under_the_tag_that_the_server_gave() throws {
    let rig = try StorageRig()
    let store = MemoryStore(tags: .own)
    #expect(try rig.upload(to: store).isSound)
    let second = try rig.upload(to: store)
    #expect(second.isSound, "\(second.destinations[0].failures)")
    let report = try rig.verify(store)
    #expect(report.manifestCount == 2 && report.isSound, "\(report)")
  }

  @Test(arguments: [false, true])
  func a_chain_that_another_program_wrote_meanwhile_stays(refusesConditions: Bool) throws {
    let rig = try StorageRig()
    let store = MemoryStore(refusesConditions: refusesConditions, tags: .own)
    #expect(try rig.upload(to: store).isSound)
    let others = [UInt8]("another program's".utf8)
    let report = try rig.upload(to: Self.raced(store, others))
    #expect(store.bytes(Self.chain) == others)
    let failure = try #require(report.destinations[0].failures.first)
    #expect(failure.path == "ascmhl" && failure.message.contains("another program"))
  }

  @Test func without_a_tag_nothing_is_replaced_and_that_is_said() throws {
    let rig = try StorageRig()
    let store = MemoryStore(tags: .none)
    let first = try rig.upload(to: store)
    #expect(first.isSound, "\(first.destinations[0].failures)")
    let (keys, chain) = (store.keys, store.bytes(Self.chain))
    try rig.folder.write("more", "card/more.txt")
    let second = try rig.upload(to: store)
    let failure = try #require(second.destinations[0].failures.first)
    #expect(failure.path == "ascmhl" && failure.message.contains("ETag"), "\(failure.message)")
    #expect(store.bytes(Self.chain) == chain, "the chain is as it was")
    #expect(
      Set(store.keys) == Set(keys + ["card/more.txt"]), "no manifest that no chain has is there")
    #expect(try rig.verify(store).isSound)
  }
}
