public import MediaCore
public import VideoRecorder

extension CaptureOutput {
  /// Why data was dropped.
  public enum DataDroppedReason: Int, Sendable, Hashable {
    /// Not dropped.
    case none = 0
    /// The consumer was still busy with earlier data.
    case lateData = 1
    /// All buffers are held by consumers.
    case outOfBuffers = 2
    /// Another reason, such as an unexpected pixel format.
    case discontinuity = 3
  }
}

extension DropReason {
  /// The reason as AVFoundation's data outputs report it.
  var dataDroppedReason: AVCaptureOutput.DataDroppedReason {
    switch self {
    case .lateData, .encoderBusy, .diskBusy: .lateData
    case .outOfBuffers, .overrun: .outOfBuffers
    default: .discontinuity
    }
  }
}

/// Data from a synchronizer's output. Here always an ``AVCaptureSynchronizedSampleBufferData``.
///
/// Unchecked because the compiler accepts `Sendable` only for final classes: its property is a `let` of a `Sendable`
/// type, and the initializer is internal, so that no subclass elsewhere can add state.
public class AVCaptureSynchronizedData: @unchecked Sendable {
  /// When the data was captured, on the clock of the samples.
  public let timestamp: CMTime

  init(timestamp: CMTime) { self.timestamp = timestamp }
}

/// A video frame or an audio buffer from a synchronizer's output.
///
/// Unchecked because the compiler cannot check a class with a superclass: it adds `let`s of `Sendable` types.
public final class AVCaptureSynchronizedSampleBufferData: AVCaptureSynchronizedData,
  @unchecked Sendable
{
  /// The sample. A dropped sample keeps its media while the collection is retained.
  public let sampleBuffer: CMSampleBuffer
  /// Why it was dropped; `none` if it was not.
  public let droppedReason: AVCaptureOutput.DataDroppedReason
  /// True for a sample that arrived and could not be delivered in time or in the requested format.
  public var sampleBufferWasDropped: Bool { droppedReason != .none }

  init(_ sampleBuffer: CMSampleBuffer, droppedReason: AVCaptureOutput.DataDroppedReason = .none) {
    self.sampleBuffer = sampleBuffer
    self.droppedReason = droppedReason
    super.init(timestamp: sampleBuffer.presentationTimeStamp)
  }
}

/// The data of a synchronizer's outputs for one time: at most one item per output.
public final class AVCaptureSynchronizedDataCollection: Sendable {
  private let data: [(output: AVCaptureOutput, datum: AVCaptureSynchronizedData)]

  init(_ data: [(output: AVCaptureOutput, datum: AVCaptureSynchronizedData)]) { self.data = data }

  /// The number of outputs with data.
  public var count: Int { data.count }

  /// The data of an output; nil if it has none for this time.
  public func synchronizedData(
    for captureOutput: AVCaptureOutput
  ) -> AVCaptureSynchronizedData? { data.first { $0.output === captureOutput }?.datum }

  /// As ``synchronizedData(for:)``.
  public subscript(captureOutput: AVCaptureOutput) -> AVCaptureSynchronizedData? {
    synchronizedData(for: captureOutput)
  }
}

extension AVCaptureSynchronizedDataCollection: Sequence {
  /// Iterates over the data in the order of the synchronizer's outputs.
  public func makeIterator() -> Iterator { Iterator(data.map(\.datum)) }

  /// Iterates over the data of the outputs.
  public struct Iterator: IteratorProtocol {
    private var data: IndexingIterator<[AVCaptureSynchronizedData]>

    fileprivate init(_ data: [AVCaptureSynchronizedData]) { self.data = data.makeIterator() }

    /// The data of the next output; nil after the last.
    public mutating func next() -> AVCaptureSynchronizedData? { data.next() }
  }
}
