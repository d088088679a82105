import MediaCore
import Synchronization

/// Sends the missing parts of a multipart upload over several connections.
struct PartTransfer {
  private struct State {
    /// Zero-based numbers of the parts that no connection has taken yet; the next one is last.
    var waiting: [Int]
    var tags: [Int: String]
    var failure: ObjectStorageError?
    var isForgotten = false
  }

  let client: StorageClient
  let key: String
  let upload: String
  let source: any ObjectSource
  let plan: PartPlan
  let sums: ContentChecksums
  let meter: SendMeter
  let headers: @Sendable (Int) -> [(String, String)]

  /// - Returns: The parts' entity tags, in order; nil if the server no longer knows the upload.
  func run(
    _ arrived: [Int: ArrivedPart], connections: Int
  ) throws(ObjectStorageError) -> [String]? {
    var tags: [Int: String] = [:]
    for part in 0..<plan.count {
      guard let there = arrived[part + 1], isSame(there, part) else { continue }
      tags[part] = there.entityTag
      meter.skip(plan.range(part).upperBound - plan.range(part).lowerBound)
    }
    let waiting = (0..<plan.count).filter { tags[$0] == nil }
    let state = SharedState(State(waiting: waiting.reversed(), tags: tags))
    let lanes = (0..<min(max(connections, 1), waiting.count)).map { number in
      BackgroundJob<Void, Never>(label: "upload.\(number)") { lane(state) }
    }
    for lane in lanes { lane.outcome() }
    return try state.value.withLock { state throws(ObjectStorageError) in
      if let failure = state.failure { throw failure }
      if state.isForgotten { return nil }
      return (0..<plan.count).compactMap { state.tags[$0] }
    }
  }

  private final class SharedState: Sendable {
    let value: Mutex<State>
    init(_ state: sending State) { value = Mutex(state) }

    /// True if nothing more should be sent.
    var isOver: Bool { value.withLock { $0.failure != nil || $0.isForgotten } }
  }

  private func lane(_ state: SharedState) {
    let client = client.cancelled(also: { state.isOver })
    while let part = state.value.withLock({ state in
      state.failure == nil && !state.isForgotten ? state.waiting.popLast() : nil
    }) {
      do throws(ObjectStorageError) {
        let tag = try send(part, client)
        state.value.withLock { state in
          if let tag { state.tags[part] = tag } else { state.isForgotten = true }
        }
      } catch {
        // Only the first failure is reported; the other threads fail because it cancelled them.
        state.value.withLock { if $0.failure == nil, !$0.isForgotten { $0.failure = error } }
      }
    }
  }

  private func send(_ part: Int, _ client: StorageClient) throws(ObjectStorageError) -> String? {
    try client.sendPart(
      part + 1, of: key, upload: upload, .file(source, plan.range(part)), headers: headers(part),
      onSent: { meter.sent($0) }, accepts: { isSame($0, part) })
  }

  /// True if the server has this part, with the same bytes.
  private func isSame(_ there: ArrivedPart, _ part: Int) -> Bool {
    let range = plan.range(part)
    guard there.size == range.upperBound - range.lowerBound else { return false }
    // An encrypted part's entity tag is not its MD5.
    return there.entityTag == Digest.hexadecimal(sums.partMD5[part])
      || there.crc64 == CRC64NVME(value: sums.partCRC64[part]).base64
  }
}
