import AVFoundationCompat
import Testing

/// Shared by the tests of a program's own compositors.
struct CompositorRig {
  let rig: ReadingRig

  init() throws { rig = try ReadingRig() }

  /// A composition of 20 frames by a compositor class: 320x180 at 25 a second.
  func composition(
    _ type: any AVVideoCompositing.Type, _ instruction: any AVVideoCompositionInstructionProtocol
  ) -> AVMutableVideoComposition {
    let composition = AVMutableVideoComposition()
    composition.renderSize = CGSize(width: 320, height: 180)
    composition.frameDuration = CMTime(value: 1, timescale: 25)
    composition.customVideoCompositorClass = type
    composition.instructions = [instruction]
    return composition
  }

  func session(
    _ asset: AVAsset, _ composition: AVVideoComposition
  ) throws -> AVAssetExportSession {
    let session = try #require(
      AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleProRes422LPCM))
    session.videoComposition = composition
    return session
  }

  /// Each frame's upper left luma code.
  func luma(of asset: AVAsset) throws -> [Int] {
    let track = try #require(asset.tracks(withMediaType: .video).first)
    return try read(AVAssetReaderTrackOutput(track: track, outputSettings: [:]), of: asset)
  }

  func read(_ output: AVAssetReaderOutput, of asset: AVAsset) throws -> [Int] {
    let reader = try AVAssetReader(asset: asset)
    reader.add(output)
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    var codes: [Int] = []
    while let sample = output.copyNextSampleBuffer() {
      let frame = try #require(CMSampleBufferGetImageBuffer(sample))
      let base = try #require(CVPixelBufferGetBaseAddressOfPlane(frame, 0))
      codes.append(Int(base.loadUnaligned(as: UInt16.self)))
    }
    #expect(reader.status == .completed, "\(String(describing: reader.error))")
    return codes
  }

  static func isNear(_ codes: [Int], _ wanted: [Int]) -> Bool {
    codes.count == wanted.count && zip(codes, wanted).allSatisfy { abs($0 - $1) <= 6 }
  }

  /// The luma of the source movie's frames.
  static let gray = (0..<20).map { Int(ReadingRig.luma($0)) }
  /// The same with black and white swapped.
  static let inverted = gray.map { 1004 - $0 }
}

/// A program's instruction: it tells its compositor how to treat the frames, and records what
/// happened.
final class CompositorOrder: AVVideoCompositionInstructionProtocol, @unchecked Sendable {
  enum Manner: Sendable, Equatable {
    case immediately, later, never, dropping, cancelling
    case failing(from: CMTime)
  }

  let timeRange = CMTimeRange(start: .zero, duration: CMTime(value: 20, timescale: 25))
  let enablePostProcessing = false
  let containsTweening = true
  let requiredSourceTrackIDs: [NSValue]?
  let passthroughTrackID: CMPersistentTrackID
  let manner: Manner
  private let lock = NSLock()
  private var held: [AVAsynchronousVideoCompositionRequest] = []
  private var isGivenUp = false
  private var most = 0

  init(
    _ manner: Manner, required: [NSValue]? = nil,
    passthrough: CMPersistentTrackID = kCMPersistentTrackID_Invalid
  ) {
    self.manner = manner
    requiredSourceTrackIDs = required
    passthroughTrackID = passthrough
  }

  /// Requests in progress.
  var heldCount: Int { lock.withLock { held.count } }
  /// The highest number of requests in progress at the same time.
  var mostHeld: Int { lock.withLock { most } }
  /// True once the requests have been canceled.
  var wasCancelled: Bool { lock.withLock { isGivenUp } }

  func hold(_ request: AVAsynchronousVideoCompositionRequest) {
    lock.withLock {
      held.append(request)
      most = max(most, held.count)
    }
  }
  func release(_ request: AVAsynchronousVideoCompositionRequest) {
    lock.withLock { held.removeAll { $0 === request } }
  }
  func giveUp() { lock.withLock { isGivenUp = true } }
}

struct CompositorFault: Error {}

final class InvertingCompositor: AVVideoCompositing, @unchecked Sendable {
  let sourcePixelBufferAttributes: [String: Any]? = [
    // The first is no pixel format.
    kCVPixelBufferPixelFormatTypeKey as String: [0x7A7A_7A7A, kCVPixelFormatType_32BGRA],
    kCVPixelBufferOpenGLESCompatibilityKey as String: true,
  ]
  let requiredPixelBufferAttributesForRenderContext: [String: Any] = [
    kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
  ]
  private let queue = DispatchQueue(label: "frames", attributes: .concurrent)
  private let lock = NSLock()
  private var context: AVVideoCompositionRenderContext?
  private var order: CompositorOrder?

  init() {}

  func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {
    lock.withLock { context = newRenderContext }
  }

  func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
    guard let order = request.videoCompositionInstruction as? CompositorOrder else {
      return request.finish(with: CompositorFault())
    }
    lock.withLock { self.order = order }
    switch order.manner {
    case .immediately: finish(request)
    case .later:
      order.hold(request)
      // The later frame finishes first.
      let isEven = Int(request.compositionTime.seconds * 25 + 0.5) % 2 == 0
      queue.asyncAfter(deadline: .now() + .milliseconds(isEven ? 20 : 1)) { [self] in
        order.release(request)
        finish(request)
      }
    case .never: order.hold(request)
    case .dropping: break
    case .cancelling: request.finishCancelledRequest()
    case .failing(let time):
      if request.compositionTime < time {
        finish(request)
      } else {
        request.finish(with: CompositorFault())
      }
    }
  }

  func cancelAllPendingVideoCompositionRequests() { lock.withLock { order }?.giveUp() }

  private func finish(_ request: AVAsynchronousVideoCompositionRequest) {
    guard let number = request.sourceTrackIDs.first,
      let source = request.sourceFrame(byTrackID: number.int32Value),
      CVPixelBufferGetPixelFormatType(source) == kCVPixelFormatType_32BGRA,
      lock.withLock({ context }) === request.renderContext,
      let frame = request.renderContext.newPixelBuffer(),
      let from = CVPixelBufferGetBaseAddress(source), let to = CVPixelBufferGetBaseAddress(frame)
    else { return request.finish(with: CompositorFault()) }
    let (step, width) = (CVPixelBufferGetBytesPerRow(source), CVPixelBufferGetWidth(source))
    for row in 0..<CVPixelBufferGetHeight(source) {
      for byte in 0..<width * 4 {
        let code = from.load(fromByteOffset: row * step + byte, as: UInt8.self)
        to.storeBytes(
          of: 255 - code, toByteOffset: row * CVPixelBufferGetBytesPerRow(frame) + byte,
          as: UInt8.self)
      }
    }
    request.finish(withComposedVideoFrame: frame)
  }
}
