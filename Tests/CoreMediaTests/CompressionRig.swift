import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// Frames of one gray each, and what a compression session makes of them.
struct CompressionRig {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The arguments of a session's callbacks.
  final class Results: Sendable {
    private let all = Mutex<[(OSStatus, CMSampleBuffer?)]>([])

    func add(_ status: OSStatus, _ sample: CMSampleBuffer?) {
      all.withLock { $0.append((status, sample)) }
    }

    var statuses: [OSStatus] { all.withLock { $0.map(\.0) } }
    var samples: [CMSampleBuffer] { all.withLock { $0.compactMap(\.1) } }
  }

  static func session(
    _ codec: CMVideoCodecType, specification: CFDictionary? = nil
  ) throws -> VTCompressionSession {
    var session: VTCompressionSession?
    let status = VTCompressionSessionCreate(
      allocator: kCFAllocatorDefault, width: 64, height: 48, codecType: codec,
      encoderSpecification: specification, imageBufferAttributes: nil,
      compressedDataAllocator: nil, outputCallback: nil, refcon: nil,
      compressionSessionOut: &session)
    try #require(status == noErr)
    return try #require(session)
  }

  /// A buffer from the session's pool; its first plane is filled with an 8-bit gray.
  static func frame(_ session: VTCompressionSession, gray: Int) throws -> CVPixelBuffer {
    let pool = try #require(VTCompressionSessionGetPixelBufferPool(session))
    var made: CVPixelBuffer?
    CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, nil, &made)
    let frame = try #require(made)
    CVPixelBufferLockBaseAddress(frame, [])
    let planes = CVPixelBufferGetPlaneCount(frame)
    for plane in 0..<planes {
      let level = plane == 0 ? gray : 128
      let base = try #require(CVPixelBufferGetBaseAddressOfPlane(frame, plane))
      let count =
        CVPixelBufferGetBytesPerRowOfPlane(frame, plane)
        * CVPixelBufferGetHeightOfPlane(frame, plane)
      if session.isTenBits {
        // The upper ten of 16 bits, or the lower ten if the chroma planes are separate.
        let words = base.assumingMemoryBound(to: UInt16.self)
        for place in 0..<count / 2 { words[place] = UInt16(level) << (planes == 3 ? 2 : 8) }
      } else {
        memset(base, Int32(level), count)
      }
    }
    CVPixelBufferUnlockBaseAddress(frame, [])
    return frame
  }

  static func gray(_ frame: Int) -> Int { 30 + 20 * frame }

  static func time(_ frame: Int) -> CMTime { CMTime(value: Int64(frame), timescale: 25) }

  /// Compresses frames of rising gray, some of them forced key frames.
  static func compress(
    _ frames: Range<Int>, with session: VTCompressionSession, keys: Set<Int> = []
  ) throws -> Results {
    let results = Results()
    for frame in frames {
      var flags: VTEncodeInfoFlags = []
      let status = VTCompressionSessionEncodeFrame(
        session, imageBuffer: try self.frame(session, gray: gray(frame)),
        presentationTimeStamp: time(frame), duration: CMTime(value: 1, timescale: 25),
        frameProperties: keys.contains(frame)
          ? [kVTEncodeFrameOptionKey_ForceKeyFrame: kCFBooleanTrue as Any] as CFDictionary : nil,
        infoFlagsOut: &flags
      ) { status, _, sample in results.add(status, sample) }
      try #require(status == noErr, "\(String(describing: session.error))")
      #expect(flags.contains(.asynchronous) && !flags.contains(.frameDropped))
    }
    return results
  }

  /// Writes samples without encoding.
  func write(_ samples: [CMSampleBuffer], to name: String, _ type: AVFileType) async throws -> URL {
    let url = folder.url(name)
    let writer = try AVAssetWriter(outputURL: url, fileType: type)
    let input = AVAssetWriterInput(
      mediaType: .video, outputSettings: nil,
      sourceFormatHint: CMSampleBufferGetFormatDescription(try #require(samples.first)))
    try #require(writer.canAdd(input))
    writer.add(input)
    try #require(writer.startWriting(), "\(String(describing: writer.error))")
    writer.startSession(atSourceTime: .zero)
    for sample in samples {
      while !input.isReadyForMoreMediaData { await Task.yield() }
      try #require(input.append(sample), "\(String(describing: writer.error))")
    }
    input.markAsFinished()
    await writer.finishWriting()
    try #require(writer.status == .completed, "\(String(describing: writer.error))")
    return url
  }

  /// The gray and time of each frame of a movie.
  static func grays(_ url: URL) async throws -> [(gray: Int, time: CMTime)] {
    let asset = AVURLAsset(url: url)
    let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(
      track: track,
      outputSettings: [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
      ])
    reader.add(output)
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    var grays: [(gray: Int, time: CMTime)] = []
    while let sample = output.copyNextSampleBuffer() {
      let frame = try #require(CMSampleBufferGetImageBuffer(sample))
      grays.append(
        (
          frame.withUnsafeBytes(ofPlane: 0) { Int($0[64 * 20 + 32]) },
          sample.presentationTimeStamp
        ))
    }
    return grays
  }

  /// Compares a movie with the frames that were compressed.
  static func check(_ url: URL, frames: Range<Int>) async throws {
    let grays = try await grays(url)
    #expect(grays.count == frames.count)
    for (frame, seen) in zip(frames, grays) {
      #expect(abs(seen.gray - gray(frame)) <= 2, "frame \(frame)")
      #expect(abs((seen.time - time(frame)).seconds) < 0.00001, "frame \(frame)")
    }
  }
}

extension VTCompressionSession {
  fileprivate var isTenBits: Bool {
    var value: CFTypeRef?
    VTSessionCopyProperty(
      self, key: kVTCompressionPropertyKey_EncoderID, allocator: nil, valueOut: &value)
    return (value as? String)?.hasPrefix("native") == true
  }
}
