package import AssetReader
package import MediaCore

/// Makes frames of tracks' pictures in place of layers, by a program's own code.
package protocol PictureCompositor: Sendable {
  /// The layout in which pictures are handed over; nil for their own.
  var layout: PictureProcessing.Layout? { get }

  /// Gets ready, before the first frame.
  ///
  /// - Throws: `AssetReaderError` of `invalidArgument` where it asks for what there is not.
  func prepare() throws(AssetReaderError)

  /// Begins a frame, and returns at once: the frame comes at any time, from any thread.
  func start(_ request: CompositionRequest)

  /// Gives up the frames that were begun, of which nobody wants to know any more. It may come more than once,
  /// from any thread, and returns at once.
  func cancel()
}

/// A frame that a compositor is asked for.
package struct CompositionRequest: Sendable {
  /// A track's picture.
  package struct Source: Sendable {
    /// The track's place in the timeline.
    package let track: Int
    /// What it shows.
    package let picture: PixelBuffer
  }

  /// When the frame is shown, in the timeline.
  package let time: MediaTime
  /// The pictures of the tracks that show something.
  package let sources: [Source]
  /// Where the frame goes.
  package let frame: FramePromise
}
