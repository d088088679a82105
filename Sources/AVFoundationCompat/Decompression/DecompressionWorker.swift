import AssetReader
import MediaCore
import Synchronization
import VideoRecorder

/// What a decompression session's queue does.
///
/// Unchecked: the decoder is touched under the lock alone, by one call at a time.
final class DecompressionWorker: @unchecked Sendable {
  /// Who is given a picture, and what is said of it then.
  struct Receiver: Sendable {
    var time: CMTime
    var duration: CMTime
    /// False for one that is decoded for others' sake.
    var isShown: Bool
    var deliver: VTDecompressionOutputHandler
  }

  private struct Delivery: Sendable {
    var receiver: Receiver
    var status: OSStatus
    var picture: PixelBuffer?
  }

  private let format: VideoFormatDescription
  private let wanted: PictureConversion?
  private let converter = PictureConverter()
  private let lock = Mutex(())
  private var decoder: PacketDecoder?
  private var waiting: [Int64: Receiver] = [:]
  private var outbox: [Delivery] = []
  private var number: Int64 = 0
  /// Since the last key frame: what the decoder has to see again once it has begun anew.
  private var past = PastPictures()
  private var hasEnded = false

  init(_ format: VideoFormatDescription, _ wanted: PictureConversion?) {
    (self.format, self.wanted) = (format, wanted)
  }

  /// Pictures in the decoder.
  var pendingCount: Int { lock.withLock { _ in waiting.count } }

  /// Decodes a picture, and hands over what comes out.
  ///
  /// - Returns: Why it was not decoded.
  func decode(_ picture: CompressedPicture, _ receiver: Receiver) -> AVError? {
    let failure = lock.withLock { _ -> AVError? in
      guard !hasEnded else { return nil }
      number += 1
      do throws(AVError) {
        let decoder = try madeDecoder()
        let bytes = picture.block.contents
        past.prepare(decoder, for: picture)
        past.note(bytes, isSync: picture.isSync)
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

  /// Has all come out that the decoder holds. It begins anew then, with the pictures since the last key frame again,
  /// if those that follow depend on them.
  func finish() -> AVError? {
    let failure = lock.withLock { _ -> AVError? in
      guard let decoder, !waiting.isEmpty else { return nil }
      var failure: AVError?
      past.decoderBeginsAnew()
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

  /// Ends: nobody is called any more.
  func end() {
    // What programs gave goes outside of the lock: its end may call the session.
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

  private func collect(_ pictures: [PacketDecoder.Picture]) {
    for picture in pictures {
      guard let receiver = waiting.removeValue(forKey: picture.number) else { continue }
      guard let wanted else {
        outbox.append(Delivery(receiver: receiver, status: noErr, picture: picture.buffer))
        continue
      }
      let made = converter.convert(picture.buffer, to: wanted)
      outbox.append(
        Delivery(
          receiver: receiver, status: made == nil ? kVTPixelTransferNotSupportedErr : noErr,
          picture: made))
    }
  }

  /// Calls those whose pictures came out, outside of the lock, for they may call the session.
  private func handOver() {
    while let next = lock.withLock({ _ in outbox.isEmpty ? nil : outbox.removeFirst() }) {
      let isShown = next.receiver.isShown
      next.receiver.deliver(
        next.status, isShown ? [] : .frameDropped, isShown ? next.picture : nil,
        next.receiver.time, next.receiver.duration)
    }
  }
}
