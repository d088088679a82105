import AssetReader
import Dispatch
import MediaCore
import RecorderControl
import Synchronization

/// Frames of completed takes as JPEG, read from their movies one at a time.
final class TakeImages: Sendable {
  private let queue = DispatchQueue(label: "take-images", qos: .utility)
  private let waiting = Mutex(0)

  /// The maximum number of images that wait.
  private static let limit = 64
  /// The number of images in a strip.
  static let stripCount = 10

  /// A frame of a take.
  ///
  /// - Parameters:
  ///   - frame: Its slot, from 0. In a gap it is the frame that is shown there, the last one before.
  ///   - side: The longest side of the image in pixels.
  /// - Throws: ``ServiceError/Code/notFound`` if there is no such frame, or its movie is gone;
  ///   ``ServiceError/Code/tooFast``.
  func frame(
    _ frame: Int64, of record: TakeRecord, side: Int
  ) async throws(ServiceError) -> [UInt8] {
    guard let (path, place, time) = record.movie(ofFrame: frame) else {
      throw ServiceError(
        .notFound, "the take has \(record.timeline.slotCount) frames, counted from 0")
    }
    var generator = AssetImageGenerator(path: path)
    generator.maximumSide = side
    (generator.place, generator.time) = (place, time)
    return try await work(on: path) { [generator] () throws(AssetReaderError) in
      try generator.jpeg()
    }
  }

  /// Runs a function on a movie, after those that were added before.
  ///
  /// - Throws: ``ServiceError/Code/notFound`` with the function's message if it fails; ``ServiceError/Code/tooFast``.
  func work<Value: Sendable, Failure: CodedError>(
    on path: String, _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(ServiceError) -> Value {
    let mayWait = waiting.withLock { count in
      guard count < Self.limit else { return false }
      count += 1
      return true
    }
    guard mayWait else {
      throw ServiceError(.tooFast, "\(Self.limit) images are already being made")
    }
    defer { waiting.withLock { $0 -= 1 } }
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
      queue.async {
        continuation.resume(returning: Result { () throws(Failure) in try body() })
      }
    }
    switch result {
    case .success(let value): return value
    case .failure(let error):
      throw ServiceError(
        .notFound,
        "\(path.lastPathPart) cannot be shown: "
          + error.message.replacing(path, with: path.lastPathPart))
    }
  }

  /// The slot of an image in a take's strip, which begins with the first frame and ends with the last.
  static func frame(ofStrip index: Int, of record: TakeRecord) -> Int64 {
    max(0, record.timeline.slotCount - 1) * Int64(index) / Int64(stripCount - 1)
  }
}
