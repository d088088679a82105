package import AssetReader
package import MediaCore

/// Makes frames from tracks' frames with a program's own code, instead of layers.
package protocol FrameCompositor: Sendable {
  /// The layout in which source frames are passed; nil for their own.
  var layout: VideoProcessing.Layout? { get }

  /// Prepares for the first frame.
  ///
  /// - Throws: `AssetReaderError` with `invalidArgument` if it requires something unavailable.
  func prepare() throws(AssetReaderError)

  /// Starts a frame and returns immediately. The frame may be delivered at any time, from any
  /// thread.
  func start(_ request: CompositionRequest)

  /// Cancels the frames that were started. May be called more than once, from any thread, and
  /// returns immediately.
  func cancel()
}

/// A request for a compositor's frame.
package struct CompositionRequest: Sendable {
  /// The frame of a track.
  package struct Source: Sendable {
    /// The track's index in the timeline.
    package let track: Int
    /// Its frame.
    package let frame: PixelBuffer
  }

  /// The frame's time in the timeline.
  package let time: MediaTime
  /// The frames of all tracks that show something.
  package let sources: [Source]
  /// The promise to fulfil with the frame.
  package let frame: FramePromise
}
