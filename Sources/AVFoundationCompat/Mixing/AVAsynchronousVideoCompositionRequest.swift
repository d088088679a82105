public import Foundation
public import MediaCore
import MovieExport

/// A frame for a compositor to make. Finish it once, on any thread; later calls have no effect. Releasing it
/// unfinished ends the export or reading with an error.
public final class AVAsynchronousVideoCompositionRequest: Sendable {
  /// A track's frame.
  struct Source: Sendable {
    let trackID: CMPersistentTrackID
    let frame: PixelBuffer
  }

  public let renderContext: AVVideoCompositionRenderContext
  /// The time of the frame, on the asset's timeline.
  public let compositionTime: CMTime
  /// The instruction for this time: the program's object.
  public let videoCompositionInstruction: any AVVideoCompositionInstructionProtocol
  private let sources: [Source]
  private let frame: FramePromise

  init(
    _ context: AVVideoCompositionRenderContext, at time: CMTime,
    _ instruction: any AVVideoCompositionInstructionProtocol, _ sources: [Source],
    frame: FramePromise
  ) {
    renderContext = context
    compositionTime = time
    videoCompositionInstruction = instruction
    self.sources = sources
    self.frame = frame
  }

  deinit { frame.keep(.failure(AVError.unfinishedRequest(at: compositionTime))) }

  /// The required tracks that have a frame at this time.
  public var sourceTrackIDs: [NSNumber] { sources.map { NSNumber(value: $0.trackID) } }

  /// A track's frame; nil if it has none at this time, or if the instruction does not require it. Frames are as
  /// stored, without the track's transform.
  public func sourceFrame(byTrackID trackID: CMPersistentTrackID) -> CVPixelBuffer? {
    sources.first { $0.trackID == trackID }?.frame
  }

  /// Delivers the frame, in any pixel format that a writer takes. If its size differs from the context's, it is
  /// scaled.
  public func finish(withComposedVideoFrame composedVideoFrame: CVPixelBuffer) {
    frame.keep(.success(composedVideoFrame))
  }

  /// Ends the export or reading with an error. It is an `AVError`, with `error` as the underlying one if it was of
  /// another type.
  public func finish(with error: any Error) { frame.keep(.failure(AVError(error))) }

  /// Finishes a cancelled request, after ``AVVideoCompositing/cancelAllPendingVideoCompositionRequests()``. If
  /// nothing was cancelled, the export or reading ends with an error.
  public func finishCancelledRequest() {
    frame.keep(
      .failure(
        AVError(
          .invalidVideoComposition,
          "the video compositor cancelled its frame at \(compositionTime.seconds.text(decimals: 3)) s, "
            + "though nothing was cancelled; finish it with a frame or with an error")))
  }
}

extension AVError {
  /// Ends an export whose frame request was released unfinished.
  static func unfinishedRequest(at time: CMTime) -> AVError {
    AVError(
      .invalidVideoComposition,
      "the request for the frame at \(time.seconds.text(decimals: 3)) s was released unfinished; finish each "
        + "with a frame or with an error")
  }
}
