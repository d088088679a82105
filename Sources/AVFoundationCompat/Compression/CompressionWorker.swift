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
  /// The bit rate that was set since the session began; nil for that of its properties.
  private var bitRate: Int?
  /// Those who wait for pictures in the encoder, by the pictures' times.
  private var waiting: [Int64: VTCompressionSession.Receiver] = [:]
  /// What came out and is to be handed over.
  private var outbox: [Delivery] = []
  private var reorders = false

  init(_ codec: VideoCodecType) { self.codec = codec }

  /// Pictures in the encoder.
  var pendingCount: Int { lock.withLock { _ in waiting.count } }

  /// Takes another bit rate for the pictures to come; false where the encoder cannot.
  func adapt(to rate: Int) -> Bool {
    lock.withLock { _ in
      // An encoder that is yet to be made, at first or after others were completed, begins with it.
      guard compressor?.change(averageBitRate: rate) ?? true else { return false }
      bitRate = rate
      return true
    }
  }

  /// Compresses a picture, and hands over what comes out.
  ///
  /// - Returns: Why it was not compressed.
  func compress(
    _ job: VTCompressionSession.Job, _ properties: CompressionProperties
  ) -> AVError? {
    let failure = lock.withLock { _ -> AVError? in
      do throws(AVError) {
        let compressor = try compressor(for: job.picture, properties)
        waiting[job.ticks] = job.receiver
        do throws(AssetWriterError) {
          collect(
            try compressor.compress(
              job.picture.withAttachedColor(), at: job.ticks, isKey: job.isKey),
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

  /// Has come out what is no later than a time: all, for an encoder gives its pictures up together.
  func complete(until limit: Int64?) -> AVError? {
    let failure = lock.withLock { _ -> AVError? in
      let isAsked = waiting.keys.contains { time in limit.map { time <= $0 } ?? true }
      guard let compressor, isAsked else { return nil }
      // What comes after begins anew, with a picture that is decoded without others.
      self.compressor = nil
      var failure: AVError?
      do throws(AssetWriterError) {
        collect(try compressor.finish(), of: compressor)
      } catch { failure = AVError(error) }
      // What an encoder that has ended kept does not come any more.
      outbox += waiting.sorted { $0.key < $1.key }
        .map { Delivery(receiver: $0.value, status: kVTVideoEncoderMalfunctionErr) }
      waiting = [:]
      return failure
    }
    handOver()
    return failure
  }

  /// Ends: what is in the encoder does not come out, and nobody is called any more.
  func end() {
    // What programs gave goes outside of the lock: its end may call the session.
    _ = lock.withLock { _ in
      compressor = nil
      defer { (waiting, outbox) = ([:], []) }
      return (waiting, outbox)
    }
  }

  /// Calls those whose pictures came out: outside of the lock, for they may call the session, and in order, also where
  /// they have others come out.
  private func handOver() {
    while let next = lock.withLock({ _ in outbox.isEmpty ? nil : outbox.removeFirst() }) {
      next.run()
    }
  }

  /// The encoder, which is made of the first picture.
  private func compressor(
    for picture: PixelBuffer, _ properties: CompressionProperties
  ) throws(AVError) -> PictureCompressor {
    if let compressor { return compressor }
    var properties = properties
    let details = picture.withAttachedColor().details
    var settings = try properties.settings(for: details.color)
    if let bitRate { settings.compression.averageBitRate = bitRate }
    reorders = codec.isInterframe && settings.compression.allowsFrameReordering
    do throws(AssetWriterError) {
      let made = try PictureCompressor(
        settings, source: details, isRealTime: properties.isRealTime)
      compressor = made
      return made
    } catch { throw AVError(error) }
  }

  /// What became of a picture, and whom it is handed to.
  private struct Delivery: Sendable {
    var receiver: VTCompressionSession.Receiver
    var status: OSStatus
    var sample: CMSampleBuffer?

    func run() { receiver.deliver(status, [], sample) }
  }

  private func collect(
    _ packets: [PictureCompressor.Packet], of compressor: PictureCompressor
  ) {
    for packet in packets {
      guard let receiver = waiting.removeValue(forKey: packet.time) else { continue }
      let decodeTime =
        reorders
        ? CMTime(value: packet.decodeTime, timescale: PictureCompressor.timescale) : .invalid
      let sample = (try? CMBlockBuffer(copying: packet.bytes)).flatMap { block in
        CMSampleBuffer(
          CompressedPicture(
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
