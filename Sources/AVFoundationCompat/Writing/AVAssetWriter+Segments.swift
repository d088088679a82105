import AssetWriter
public import MediaCore
import Synchronization

/// Segments for a delegate, for HTTP Live Streaming.
///
/// Samples keep their source times in the segments if the session starts at 1 s or later, as in Apple's sample code.
/// Otherwise an edit list covers media before 0.
extension AVAssetWriter {
  /// Receives the segments; not retained. Set it before ``startWriting()``. Setting it on a writer of a file makes
  /// the writer fail.
  public var delegate: (any AVAssetWriterDelegate)? {
    get { segments?.delegate }
    set {
      if let segments {
        segments.delegate = newValue
      } else if newValue != nil {
        refuseSegments()
      }
    }
  }

  /// The profile of the segments; nil, the default, for ``AVFileTypeProfile/mpeg4AppleHLS``. Set it before
  /// ``startWriting()``.
  public var outputFileTypeProfile: AVFileTypeProfile? {
    get { state.withLock { $0.profile } }
    set {
      // Setting nil on a writer of a file is harmless.
      if newValue == nil, segments == nil { return }
      guard let native = (newValue ?? .mpeg4AppleHLS).native else {
        return fail(
          AVError(
            .unsupportedOutputSettings,
            "\(newValue?.rawValue ?? "") is not a supported segment profile; use .mpeg4AppleHLS or "
              + ".mpeg4CMAFCompliant"))
      }
      if changeSegments({ $0.profile = native }) { state.withLock { $0.profile = newValue } }
    }
  }

  /// The duration of segments; 6 s if `.invalid`, the default. With `.indefinite`, a segment lasts until
  /// ``flushSegment()`` is called. Each segment starts with a sync sample. Set it before ``startWriting()``.
  public var preferredOutputSegmentInterval: CMTime {
    get { state.withLock { $0.segmentInterval } }
    set {
      let isTaken = changeSegments {
        $0.interval = newValue.isValid ? newValue : MediaSegmentation().interval
      }
      if isTaken { state.withLock { $0.segmentInterval = newValue } }
    }
  }

  /// The source time from which segment boundaries are counted; `.invalid`, the default, for the session's start. Set
  /// it before ``startWriting()``.
  public var initialSegmentStartTime: CMTime {
    get { base.mediaSegmentation?.startTime ?? .invalid }
    set { changeSegments { $0.startTime = newValue } }
  }

  /// Ends the segment after the appended samples; the next frame starts another one. If
  /// ``preferredOutputSegmentInterval`` is not `.indefinite`, or the writer is not writing, the writer fails and
  /// ``error`` says why.
  public func flushSegment() {
    attempt { writer throws(AssetWriterError) in try writer.endMediaSegment() }
  }

  /// Changes the segmentation. Fails without segments, or after writing has started.
  ///
  /// - Returns: False on failure.
  @discardableResult
  private func changeSegments(_ change: (inout MediaSegmentation) -> Void) -> Bool {
    guard var segmentation = base.mediaSegmentation else {
      refuseSegments()
      return false
    }
    guard base.status == .unknown else {
      fail(AVError(.operationNotAllowed, "set up segments before writing starts"))
      return false
    }
    change(&segmentation)
    base.mediaSegmentation = segmentation
    return true
  }

  private func refuseSegments() {
    fail(
      AVError(
        .operationNotAllowed,
        "a writer of a file has no segments; create one with init(contentType:)"))
  }
}
