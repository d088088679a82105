import AssetWriter
public import MediaCore
import Synchronization

/// Segments for a delegate, as HTTP live streaming serves them.
///
/// Samples keep the source's times in the segments where the session starts at 1 s or later, as Apple's example has it;
/// before that an edit list has what lies before 0.
extension AVAssetWriter {
  /// Gets the segments; not kept. To be set before ``startWriting()``; a writer of a file fails with one.
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

  /// What the segments are; nil, as at first, for ``AVFileTypeProfile/mpeg4AppleHLS``. To be set before
  /// ``startWriting()``.
  public var outputFileTypeProfile: AVFileTypeProfile? {
    get { state.withLock { $0.profile } }
    set {
      // A writer of a file has none, and nil asks nothing of it.
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

  /// How long a segment is; 6 s where it is `.invalid`, as at first, and for `.indefinite` until ``flushSegment()`` is
  /// called. A sync sample is made at each boundary. To be set before ``startWriting()``.
  public var preferredOutputSegmentInterval: CMTime {
    get { state.withLock { $0.segmentInterval } }
    set {
      let isTaken = changeSegments {
        $0.interval = newValue.isValid ? newValue : MediaSegmentation().interval
      }
      if isTaken { state.withLock { $0.segmentInterval = newValue } }
    }
  }

  /// The source time from which segments are counted; `.invalid`, as at first, for the session's start. To be set
  /// before ``startWriting()``.
  public var initialSegmentStartTime: CMTime {
    get { base.mediaSegmentation?.startTime ?? .invalid }
    set { changeSegments { $0.startTime = newValue } }
  }

  /// Ends the segment behind what was appended; the next picture begins another one. Where
  /// ``preferredOutputSegmentInterval`` is not `.indefinite`, or nothing is written, the writer fails, and ``error``
  /// says why.
  public func flushSegment() {
    attempt { writer throws(AssetWriterError) in try writer.endMediaSegment() }
  }

  /// Changes how segments are made; fails if there are none, or too late.
  ///
  /// - Returns: False where nothing was changed.
  @discardableResult
  private func changeSegments(_ change: (inout MediaSegmentation) -> Void) -> Bool {
    guard var segmentation = base.mediaSegmentation else {
      refuseSegments()
      return false
    }
    guard base.status == .unknown else {
      fail(AVError(.operationNotAllowed, "segments are set up before writing starts"))
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
        "a writer of a file has no segments; make one with init(contentType:) for them"))
  }
}
