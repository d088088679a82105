public import MediaCore
public import VideoRecorder

extension CaptureOutput {
  /// Why data was dropped.
  public enum DataDroppedReason: Int, Sendable, Hashable {
    /// It was not.
    case none = 0
    /// The consumer was not done with what came before.
    case lateData = 1
    /// All buffers are held by consumers.
    case outOfBuffers = 2
    /// Something else, as another layout than the one that is wanted.
    case discontinuity = 3
  }
}

extension DropReason {
  /// As a data output tells it.
  var dataDroppedReason: AVCaptureOutput.DataDroppedReason {
    switch self {
    case .lateData, .encoderBusy, .diskBusy: .lateData
    case .outOfBuffers, .overrun: .outOfBuffers
    default: .discontinuity
    }
  }
}

/// What an output of a synchronizer gave. Here always an ``AVCaptureSynchronizedSampleBufferData``.
///
/// Unchecked because the compiler accepts `Sendable` of final classes only: its property is a `let` of a
/// `Sendable` type, and the initializer is internal, so that no subclass elsewhere can add state.
public class AVCaptureSynchronizedData: @unchecked Sendable {
  /// When it was taken, on the clock of the samples.
  public let timestamp: CMTime

  init(timestamp: CMTime) { self.timestamp = timestamp }
}

/// A picture or a run of sound of a synchronizer's output.
///
/// Unchecked because the compiler accepts `Sendable` of no class with a superclass: it adds `let`s of
/// `Sendable` types.
public final class AVCaptureSynchronizedSampleBufferData: AVCaptureSynchronizedData,
  @unchecked Sendable
{
  /// The sample. One that was dropped is here with its media, for as long as the collection is held.
  public let sampleBuffer: CMSampleBuffer
  /// Why it was dropped; `none` where it was not.
  public let droppedReason: AVCaptureOutput.DataDroppedReason
  /// True for a sample that came and could not be given in time, or in the form that was asked for.
  public var sampleBufferWasDropped: Bool { droppedReason != .none }

  init(_ sampleBuffer: CMSampleBuffer, droppedReason: AVCaptureOutput.DataDroppedReason = .none) {
    self.sampleBuffer = sampleBuffer
    self.droppedReason = droppedReason
    super.init(timestamp: sampleBuffer.presentationTimeStamp)
  }
}

/// What the outputs of a synchronizer gave at one time: of each output one thing or none.
public final class AVCaptureSynchronizedDataCollection: Sendable {
  private let data: [(output: AVCaptureOutput, datum: AVCaptureSynchronizedData)]

  init(_ data: [(output: AVCaptureOutput, datum: AVCaptureSynchronizedData)]) { self.data = data }

  /// How many outputs gave something.
  public var count: Int { data.count }

  /// What an output gave; nil for nothing at this time.
  public func synchronizedData(
    for captureOutput: AVCaptureOutput
  ) -> AVCaptureSynchronizedData? { data.first { $0.output === captureOutput }?.datum }

  /// As ``synchronizedData(for:)``.
  public subscript(captureOutput: AVCaptureOutput) -> AVCaptureSynchronizedData? {
    synchronizedData(for: captureOutput)
  }
}

extension AVCaptureSynchronizedDataCollection: Sequence {
  /// What the outputs gave, in the order of the synchronizer's outputs.
  public func makeIterator() -> Iterator { Iterator(data.map(\.datum)) }

  /// Goes through what the outputs gave.
  public struct Iterator: IteratorProtocol {
    private var data: IndexingIterator<[AVCaptureSynchronizedData]>

    fileprivate init(_ data: [AVCaptureSynchronizedData]) { self.data = data.makeIterator() }

    /// What the next output gave; nil behind the last one.
    public mutating func next() -> AVCaptureSynchronizedData? { data.next() }
  }
}
