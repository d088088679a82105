import AssetReader
import Dispatch
import Foundation
import MediaCore
import MovieExport
import Synchronization

/// A program's compositor during one export or reading.
final class CompositorSession: Sendable {
  /// Maps a timeline's tracks and times to those of an asset.
  struct Place: Sendable {
    /// Where the timeline begins in the asset.
    let start: CMTime
    /// By the tracks' indexes in the timeline.
    let trackIDs: [CMPersistentTrackID]
  }

  private struct Setup: Sendable {
    let compositor: any AVVideoCompositing
    let layout: VideoProcessing.Layout?
    let context: AVVideoCompositionRenderContext
  }

  private let composition: AVVideoComposition
  private let size: VideoDimensions
  private let type: any AVVideoCompositing.Type
  private let given: (any AVVideoCompositing)?
  private let place: Place
  private let setup = Mutex<Setup?>(nil)
  private let isCancelled = Atomic(false)
  /// A queue for each session, so that a hanging compositor blocks no other.
  private let queue = DispatchQueue(label: "video compositor")

  /// - Parameter given: The compositor; nil to create one when the work begins.
  init(
    _ composition: AVVideoComposition, _ size: VideoDimensions,
    _ type: any AVVideoCompositing.Type, _ given: (any AVVideoCompositing)?, at place: Place
  ) {
    self.composition = composition
    self.size = size
    self.type = type
    self.given = given
    self.place = place
  }

  var layout: VideoProcessing.Layout? { setup.withLock { $0?.layout } }

  func prepare() throws(AssetReaderError) {
    try setup.withLock { setup throws(AssetReaderError) in
      if setup == nil { setup = try makeSetup() }
    }
  }

  private func makeSetup() throws(AssetReaderError) -> Setup {
    let compositor = given ?? type.init()
    let sources = try Self.layouts(compositor.sourcePixelBufferAttributes) { format in
      format.descriptor.libavName != nil && format.descriptor.subsampling != .mosaic
    }
    let frames = try Self.layouts(compositor.requiredPixelBufferAttributesForRenderContext) {
      $0.descriptor.subsampling != .mosaic
    }
    let wanted = frames ?? VideoProcessing.Layout(.bgrx32, range: .full)
    do throws(MediaCoreError) {
      let context = try AVVideoCompositionRenderContext(
        composition,
        PixelBuffer.Description(
          format: wanted.format, width: size.width, height: size.height,
          color: PixelBuffer.Description.usualColor(of: wanted.format, range: wanted.range)))
      queue.async { compositor.renderContextChanged(context) }
      return Setup(compositor: compositor, layout: sources, context: context)
    } catch { throw AssetReaderError(.outOfMemory, "video compositor: \(error.message)") }
  }

  /// The first supported pixel format of a compositor's attributes; nil if they name none.
  private static func layouts(
    _ attributes: Any, _ isThere: (PixelFormat) -> Bool
  ) throws(AssetReaderError) -> VideoProcessing.Layout? {
    let key = kCVPixelBufferPixelFormatTypeKey
    guard let value = (attributes as? [String: Any])?[key] else { return nil }
    for code in value as? [Any] ?? [value] {
      guard let wanted = try? PixelBufferAttributes([key: code]), let format = wanted.format,
        isThere(format)
      else { continue }
      return VideoProcessing.Layout(format, range: wanted.range)
    }
    throw AssetReaderError(
      .invalidArgument,
      "video compositor: none of its pixel formats is supported; use kCVPixelFormatType_32BGRA")
  }

  func start(
    _ request: CompositionRequest, by instruction: any AVVideoCompositionInstructionProtocol
  ) {
    guard let setup = setup.withLock({ $0 }) else {
      request.frame.keep(.failure(AVError(.operationNotAllowed)))
      return
    }
    let sources = request.sources.map { source in
      AVAsynchronousVideoCompositionRequest.Source(
        trackID: place.trackIDs[source.track], frame: source.frame)
    }
    let asked = AVAsynchronousVideoCompositionRequest(
      setup.context, at: request.time + place.start, instruction, sources, frame: request.frame)
    queue.async { [self] in
      guard !isCancelled.load(ordering: .acquiring) else { return }
      setup.compositor.startRequest(asked)
    }
  }

  func cancel() {
    guard !isCancelled.exchange(true, ordering: .acquiringAndReleasing),
      let setup = setup.withLock({ $0 })
    else { return }
    DispatchQueue.global().async {
      setup.compositor.cancelAllPendingVideoCompositionRequests()
    }
  }
}

/// A program's compositor with one of its instructions.
struct InstructionCompositor: FrameCompositor {
  let session: CompositorSession
  let instruction: any AVVideoCompositionInstructionProtocol

  var layout: VideoProcessing.Layout? { session.layout }
  func prepare() throws(AssetReaderError) { try session.prepare() }
  func start(_ request: CompositionRequest) { session.start(request, by: instruction) }
  func cancel() { session.cancel() }
}

/// A program's Core Image filters as a compositor.
final class FilterCompositor: FrameCompositor {
  /// Filters a frame.
  typealias Handler = @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void

  private let handler: Handler
  private let start: CMTime
  private let isCancelled = Cancellation()
  private let queue = DispatchQueue(label: "video filters")

  /// - Parameter start: Where the timeline begins in the asset.
  init(_ handler: @escaping Handler, from start: CMTime) {
    self.handler = handler
    self.start = start
  }

  let layout: VideoProcessing.Layout? = .init(.bgrx32, range: .full)
  func prepare() {}

  func start(_ request: CompositionRequest) {
    guard let frame = request.sources.first?.frame else {
      request.frame.keep(.failure(AVError(.noImageAtTime)))
      return
    }
    let time = request.time + start
    queue.async { [self] in
      guard !isCancelled.isCancelled else { return }
      handler(
        AVAsynchronousCIImageFilteringRequest(frame, at: time, frame: request.frame))
    }
  }

  func cancel() { isCancelled.cancel() }
}
