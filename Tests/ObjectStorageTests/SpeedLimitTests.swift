import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStorage

/// The limit in bytes per second for all connections together.
struct SpeedLimitTests {
  private let clock = TestClock()

  private func makeLimit(_ bytesPerSecond: Int64) -> SpeedLimit {
    SpeedLimit(
      bytesPerSecond, clock: { [clock] in clock.now }, sleep: { [clock] in clock.pass($0) })
  }

  private func exchange(_ limit: SpeedLimit?, _ count: Int) -> Exchange {
    let request = StorageRequest(
      method: "PUT", scheme: "http", host: "s", path: "/a", query: [], headers: [],
      body: .bytes([UInt8](repeating: 7, count: count)), patience: 1, speedLimit: limit)
    return Exchange(request, { false }, limit: 1000)
  }

  /// Reads from each exchange in turn until all are drained.
  private func drain(_ exchanges: [Exchange]) -> Int {
    var room = [UInt8](repeating: 0, count: 1 << 20)
    var total = 0
    var isOver = false
    while !isOver {
      isOver = true
      for exchange in exchanges {
        let count = room.withUnsafeMutableBytes { Int(exchange.read($0)) }
        total += count
        if count > 0 { isOver = false }
      }
    }
    return total
  }

  @Test func a_single_connection_gets_the_whole_bandwidth() {
    #expect(drain([exchange(makeLimit(100_000), 1_000_000)]) == 1_000_000)
    // The first bytes are sent without waiting.
    #expect((9.8...10).contains(clock.now), "\(clock.now)")
  }

  @Test func several_connections_share_the_bandwidth() {
    let limit = makeLimit(100_000)
    let exchanges = (0..<4).map { _ in exchange(limit, 250_000) }
    #expect(drain(exchanges) == 1_000_000)
    #expect((9.8...10).contains(clock.now), "\(clock.now)")
  }

  @Test func without_a_limit_no_connection_waits() {
    #expect(drain([exchange(nil, 1_000_000)]) == 1_000_000 && clock.now == 0)
  }

  @Test func a_canceled_connection_stops_waiting() {
    let limit = makeLimit(10)
    limit.wait(for: 1000, isCancelled: { true })
    limit.wait(for: 1000, isCancelled: { [clock] in clock.now > 1 })
    #expect((1...1.5).contains(clock.now), "\(clock.now)")
  }

  @Test func all_connections_of_an_upload_share_one_limit() throws {
    let rig = try TakeRig()
    let limits = Mutex<[SpeedLimit?]>([])
    let store = AnsweringTransport(MemoryStore()) { request in
      // Manifests follow once the movie is sent.
      if request.url.contains("take.mov") { limits.withLock { $0.append(request.speedLimit) } }
      return nil
    }
    var settings = rig.settings
    (settings.connections, settings.bandwidth) = (4, 1_000_000)
    #expect(try rig.upload(["take.mov"], to: store, settings: settings).isSound)
    let seen = limits.withLock { $0 }
    #expect(!seen.isEmpty && seen.allSatisfy { $0?.bytesPerSecond == 1_000_000 })
    #expect(Set(seen.compactMap { $0.map { ObjectIdentifier($0) } }).count == 1)
  }
}
