import AssetWriter
import MediaCore
import Synchronization

/// What a compression session's queue does.
///
/// Unchecked: the compressor is touched under the lock alone, by one call at a time.
final class CompressionWorker: @unchecked Sendable {
  private let codec: VideoCodecType
  private let lock = Mutex(())
  private var compressor: PictureCompressor?
  /// Pictures in the encoder, by their times.
  private var waiting: [Int64: VTCompressionSession.Job] = [:]
  private var reorders = false

  init(_ codec: VideoCodecType) { self.codec = codec }

  /// Pictures in the encoder.
  var pendingCount: Int { lock.withLock { _ in waiting.count } }

  /// Takes another bit rate for the pictures to come; false where the encoder cannot.
  func adapt(to rate: Int) -> Bool {
    lock.withLock { _ in compressor?.change(averageBitRate: rate) ?? false }
  }

  /// Compresses a picture, and hands over what comes out.
  ///
  /// - Returns: Why it was not compressed.
  func compress(
    _ job: VTCompressionSession.Job, _ properties: CompressionProperties
  ) -> AVError? {
    let outcome = lock.withLock { _ -> Result<[Delivery], AVError> in
      do throws(AVError) {
        let compressor = try compressor(for: job.picture, properties)
        waiting[job.ticks] = job
        do throws(AssetWriterError) {
          return .success(
            deliveries(
              try compressor.compress(
                job.picture.withAttachedColor(), at: job.ticks, isKey: job.isKey),
              of: compressor))
        } catch {
          waiting[job.ticks] = nil
          throw AVError(error)
        }
      } catch { return .failure(error) }
    }
    // Outside of the lock, for whoever is called may call the session.
    switch outcome {
    case .success(let deliveries):
      for delivery in deliveries { delivery.run() }
      return nil
    case .failure(let error):
      job.deliver(
        error.code == .encoderNotFound
          ? kVTCouldNotFindVideoEncoderErr : kVTVideoEncoderMalfunctionErr, [], nil)
      return error
    }
  }

  /// Has come out what is no later than a time: all, for an encoder gives its pictures up together.
  func complete(until limit: Int64?) -> AVError? {
    let outcome = lock.withLock { _ -> Result<[Delivery], AVError> in
      let isAsked = waiting.keys.contains { time in limit.map { time <= $0 } ?? true }
      guard let compressor, isAsked else { return .success([]) }
      // What comes after begins anew, with a picture that is decoded without others.
      self.compressor = nil
      do throws(AssetWriterError) {
        return .success(deliveries(try compressor.finish(), of: compressor))
      } catch { return .failure(AVError(error)) }
    }
    switch outcome {
    case .success(let deliveries):
      for delivery in deliveries { delivery.run() }
      return nil
    case .failure(let error):
      let lost = lock.withLock { _ in
        defer { waiting = [:] }
        return waiting.values.sorted { $0.ticks < $1.ticks }
      }
      for job in lost { job.deliver(kVTVideoEncoderMalfunctionErr, [], nil) }
      return error
    }
  }

  /// The encoder, which is made of the first picture.
  private func compressor(
    for picture: PixelBuffer, _ properties: CompressionProperties
  ) throws(AVError) -> PictureCompressor {
    if let compressor { return compressor }
    var properties = properties
    let details = picture.withAttachedColor().details
    let settings = try properties.settings(for: details.color)
    reorders = codec.isInterframe && settings.compression.allowsFrameReordering
    do throws(AssetWriterError) {
      let made = try PictureCompressor(
        settings, source: details, isRealTime: properties.isRealTime)
      compressor = made
      return made
    } catch { throw AVError(error) }
  }

  /// A sample, and whom it is handed to.
  private struct Delivery: Sendable {
    var job: VTCompressionSession.Job
    var sample: CMSampleBuffer?

    func run() { job.deliver(sample == nil ? kVTAllocationFailedErr : noErr, [], sample) }
  }

  private func deliveries(
    _ packets: [PictureCompressor.Packet], of compressor: PictureCompressor
  ) -> [Delivery] {
    packets.compactMap { packet in
      guard let job = waiting.removeValue(forKey: packet.time) else { return nil }
      let decodeTime =
        reorders
        ? CMTime(value: packet.decodeTime, timescale: PictureCompressor.timescale) : .invalid
      let sample = (try? CMBlockBuffer(copying: packet.bytes)).flatMap { block in
        CMSampleBuffer(
          CompressedPicture(
            format: compressor.description, block: block, decodeTime: decodeTime,
            isSync: packet.isSync),
          presentationTimeStamp: job.time, duration: job.duration)
      }
      return Delivery(job: job, sample: sample)
    }
  }
}
