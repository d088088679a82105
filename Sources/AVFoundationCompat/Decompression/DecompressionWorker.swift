import AssetReader
import MediaCore
import Synchronization
import VideoRecorder

/// The work of a decompression session's queue.
///
/// Unchecked: the decoder and all variables are used only under the lock.
final class DecompressionWorker: @unchecked Sendable {
  /// Receives a decoded frame with its time and duration.
  struct Receiver: Sendable {
    var time: CMTime
    var duration: CMTime
    /// False for a frame that is decoded only as a reference.
    var isShown: Bool
    var deliver: VTDecompressionOutputHandler
  }

  private struct Delivery: Sendable {
    var receiver: Receiver
    var status: OSStatus
    var frame: PixelBuffer?
  }

  private let format: VideoFormatDescription
  private let wanted: FrameConversion?
  private let converter = FrameConverter()
  private let lock = Mutex(())
  private var decoder: PacketDecoder?
  private var waiting: [Int64: Receiver] = [:]
  private var outbox: [Delivery] = []
  private var number: Int64 = 0
  /// The frames since the last key frame, which a restarted decoder needs again.
  private var past = PastFrames()
  private var hasEnded = false

  init(_ format: VideoFormatDescription, _ wanted: FrameConversion?) {
    (self.format, self.wanted) = (format, wanted)
  }

  /// The number of frames in the decoder.
  var pendingCount: Int { lock.withLock { _ in waiting.count } }

  /// Decodes a frame and delivers the output.
  ///
  /// - Returns: Why the frame was not decoded; nil if it was.
  func decode(_ frame: CompressedFrame, _ receiver: Receiver) -> AVError? {
    let failure = lock.withLock { _ -> AVError? in
      guard !hasEnded else { return nil }
      number += 1
      do throws(AVError) {
        let decoder = try madeDecoder()
        let bytes = frame.block.contents
        past.prepare(decoder, for: frame)
        past.note(bytes, isSync: frame.isSync)
        waiting[number] = receiver
        do throws(AssetReaderError) {
          let number = number
          collect(
            try bytes.span.bytes.withUnsafeBytes { (bytes) throws(AssetReaderError) in
              try decoder.decode(bytes, number: number)
            })
        } catch {
          waiting[number] = nil
          throw AVError(error)
        }
        return nil
      } catch {
        let status =
          error.code == .decodeFailed ? kVTVideoDecoderBadDataErr : kVTVideoDecoderMalfunctionErr
        outbox.append(Delivery(receiver: receiver, status: status))
        return error
      }
    }
    handOver()
    return failure
  }

  /// Flushes the decoder, which then restarts. If later frames depend on frames since the last key frame, those are
  /// decoded again.
  func finish() -> AVError? {
    let failure = lock.withLock { _ -> AVError? in
      guard let decoder, !waiting.isEmpty else { return nil }
      var failure: AVError?
      past.decoderRestarts()
      do throws(AssetReaderError) { collect(try decoder.finish()) } catch {
        failure = AVError(error)
      }
      outbox += waiting.sorted { $0.key < $1.key }
        .map { Delivery(receiver: $0.value, status: kVTVideoDecoderBadDataErr) }
      waiting = [:]
      return failure
    }
    handOver()
    return failure
  }

  /// Ends the work: no handler is called any more.
  func end() {
    // Releases the program's objects outside the lock because their deinitializers may call the session.
    _ = lock.withLock { _ in
      (decoder, hasEnded) = (nil, true)
      defer { (waiting, outbox) = ([:], []) }
      return (waiting, outbox)
    }
  }

  private func madeDecoder() throws(AVError) -> PacketDecoder {
    if let decoder { return decoder }
    do throws(AssetReaderError) {
      let made = try PacketDecoder(format)
      decoder = made
      return made
    } catch { throw AVError(error) }
  }

  private func collect(_ frames: [PacketDecoder.Frame]) {
    for frame in frames {
      guard let receiver = waiting.removeValue(forKey: frame.number) else { continue }
      guard let wanted else {
        outbox.append(Delivery(receiver: receiver, status: noErr, frame: frame.buffer))
        continue
      }
      let made = converter.convert(frame.buffer, to: wanted)
      outbox.append(
        Delivery(
          receiver: receiver, status: made == nil ? kVTPixelTransferNotSupportedErr : noErr,
          frame: made))
    }
  }

  /// Calls the receivers of finished frames, outside the lock because they may call the session.
  private func handOver() {
    while let next = lock.withLock({ _ in outbox.isEmpty ? nil : outbox.removeFirst() }) {
      let isShown = next.receiver.isShown
      next.receiver.deliver(
        next.status, isShown ? [] : .frameDropped, isShown ? next.frame : nil,
        next.receiver.time, next.receiver.duration)
    }
  }
}
