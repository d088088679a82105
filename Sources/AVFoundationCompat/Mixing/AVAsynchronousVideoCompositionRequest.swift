public import Foundation
public import MediaCore
import MovieExport

/// A frame that a compositor is asked for. It is finished once, on any thread; what is said after that changes
/// nothing. One that is let go unfinished ends the export or reading with an error.
public final class AVAsynchronousVideoCompositionRequest: Sendable {
  /// A track's picture.
  struct Source: Sendable {
    let trackID: CMPersistentTrackID
    let picture: PixelBuffer
  }

  /// What the frame is for.
  public let renderContext: AVVideoCompositionRenderContext
  /// When the frame is shown, in the time of the asset.
  public let compositionTime: CMTime
  /// The instruction for this time: a program's own object.
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

  /// The numbers of the tracks that show something now, of those that the instruction requires.
  public var sourceTrackIDs: [NSNumber] { sources.map { NSNumber(value: $0.trackID) } }

  /// What a track shows; nil if it shows nothing, and where the instruction does not require it. Pictures are
  /// as the track stores them, not turned.
  public func sourceFrame(byTrackID trackID: CMPersistentTrackID) -> CVPixelBuffer? {
    sources.first { $0.trackID == trackID }?.picture
  }

  /// Gives the frame. It may be in any layout that a writer takes; another size than the context's is scaled to
  /// that.
  public func finish(withComposedVideoFrame composedVideoFrame: CVPixelBuffer) {
    frame.keep(.success(composedVideoFrame))
  }

  /// Says why there is no frame, which ends the export or reading with this error: an `AVError`, or what is behind
  /// one.
  public func finish(with error: any Error) { frame.keep(.failure(AVError(error))) }

  /// Says that the frame was given up, as ``AVVideoCompositing/cancelAllPendingVideoCompositionRequests()`` asks.
  /// Where nobody asked for that, the export or reading ends with an error.
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
  /// What ends an export whose request for a frame is gone.
  static func unfinishedRequest(at time: CMTime) -> AVError {
    AVError(
      .invalidVideoComposition,
      "the request for the frame at \(time.seconds.text(decimals: 3)) s was let go unfinished; finish each "
        + "with a frame or with an error")
  }
}
