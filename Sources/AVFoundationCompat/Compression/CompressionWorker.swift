import AssetWriter
import MediaCore
import Synchronization

/// The work of a compression session's queue.
///
/// Unchecked: the compressor and all variables are used only under the lock.
final class CompressionWorker: @unchecked Sendable {
  private let codec: VideoCodecType
  private let lock = Mutex(())
  private var compressor: FrameCompressor?
  /// The bit rate set since the session began; nil for that of the properties.
  private var bitRate: Int?
  /// The receivers of frames in the encoder, by the frames' times.
  private var waiting: [Int64: VTCompressionSession.Receiver] = [:]
  /// Output not yet delivered.
  private var outbox: [Delivery] = []
  private var reorders = false

  init(_ codec: VideoCodecType) { self.codec = codec }

  /// The number of frames in the encoder.
  var pendingCount: Int { lock.withLock { _ in waiting.count } }

  /// Changes the bit rate for further frames; false if the encoder does not support that.
  func adapt(to rate: Int) -> Bool {
    lock.withLock { _ in
      // If there is no encoder yet, or not since the last flush, the next one starts with this rate.
      guard compressor?.change(averageBitRate: rate) ?? true else { return false }
      bitRate = rate
      return true
    }
  }

  /// Compresses a frame and delivers the output.
  ///
  /// - Returns: Why the frame was not compressed; nil if it was.
  func compress(
    _ job: VTCompressionSession.Job, _ properties: CompressionProperties
  ) -> AVError? {
    let failure = lock.withLock { _ -> AVError? in
      do throws(AVError) {
        let compressor = try compressor(for: job.frame, properties)
        waiting[job.ticks] = job.receiver
        do throws(AssetWriterError) {
          collect(
            try compressor.compress(
              job.frame.withAttachedColor(), at: job.ticks, isKey: job.isKey),
            of: compressor)
        } catch {
          waiting[job.ticks] = nil
          throw AVError(error)
        }
        return nil
      } catch {
        let status =
          error.code == .encoderNotFound
          ? kVTCouldNotFindVideoEncoderErr : kVTVideoEncoderMalfunctionErr
        outbox.append(Delivery(receiver: job.receiver, status: status))
        return error
      }
    }
    handOver()
    return failure
  }

  /// Flushes the encoder if it holds frames up to a time; all frames come out, because an encoder can only be flushed
  /// completely.
  func complete(until limit: Int64?) -> AVError? {
    let failure = lock.withLock { _ -> AVError? in
      let isAsked = waiting.keys.contains { time in limit.map { time <= $0 } ?? true }
      guard let compressor, isAsked else { return nil }
      // Further frames use a new encoder and start with a key frame.
      self.compressor = nil
      var failure: AVError?
      do throws(AssetWriterError) {
        collect(try compressor.finish(), of: compressor)
      } catch { failure = AVError(error) }
      // Frames that the flushed encoder did not deliver are lost.
      outbox += waiting.sorted { $0.key < $1.key }
        .map { Delivery(receiver: $0.value, status: kVTVideoEncoderMalfunctionErr) }
      waiting = [:]
      return failure
    }
    handOver()
    return failure
  }

  /// Ends the work: frames in the encoder are dropped, and no handler is called any more.
  func end() {
    // Releases the program's objects outside the lock because their deinitializers may call the session.
    _ = lock.withLock { _ in
      compressor = nil
      defer { (waiting, outbox) = ([:], []) }
      return (waiting, outbox)
    }
  }

  /// Calls the receivers of finished frames in order, also if they trigger further output. Outside the lock, because
  /// they may call the session.
  private func handOver() {
    while let next = lock.withLock({ _ in outbox.isEmpty ? nil : outbox.removeFirst() }) {
      next.run()
    }
  }

  /// The encoder, which is created for the first frame.
  private func compressor(
    for frame: PixelBuffer, _ properties: CompressionProperties
  ) throws(AVError) -> FrameCompressor {
    if let compressor { return compressor }
    var properties = properties
    let details = frame.withAttachedColor().details
    var settings = try properties.settings(for: details.color)
    if let bitRate { settings.compression.averageBitRate = bitRate }
    reorders = codec.isInterframe && settings.compression.allowsFrameReordering
    do throws(AssetWriterError) {
      let made = try FrameCompressor(
        settings, source: details, isRealTime: properties.isRealTime)
      compressor = made
      return made
    } catch { throw AVError(error) }
  }

  /// The result for a frame, and its receiver.
  private struct Delivery: Sendable {
    var receiver: VTCompressionSession.Receiver
    var status: OSStatus
    var sample: CMSampleBuffer?

    func run() { receiver.deliver(status, [], sample) }
  }

  private func collect(
    _ packets: [FrameCompressor.Packet], of compressor: FrameCompressor
  ) {
    for packet in packets {
      guard let receiver = waiting.removeValue(forKey: packet.time) else { continue }
      let decodeTime =
        reorders
        ? CMTime(value: packet.decodeTime, timescale: FrameCompressor.timescale) : .invalid
      let sample = (try? CMBlockBuffer(copying: packet.bytes)).flatMap { block in
        CMSampleBuffer(
          CompressedFrame(
            format: compressor.description, block: block, decodeTime: decodeTime,
            isSync: packet.isSync),
          presentationTimeStamp: receiver.time, duration: receiver.duration)
      }
      outbox.append(
        Delivery(
          receiver: receiver, status: sample == nil ? kVTAllocationFailedErr : noErr,
          sample: sample))
    }
  }
}
