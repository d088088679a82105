import Foundation
import MediaCore
import ProRes

/// Encodes raw frames of a file in memory repeatedly, and reports CPU time per frame.
///
///     prores-bench FILE --size WxH [--format yuv422p10] [--codec hq] [--kernels avx2]
///                  [--threads 1] [--frames 100] [--quality Q] [--perceptual] [--movie OUT.mov]
struct Options {
  var file = ""
  var size = VideoDimensions(width: 1920, height: 1080)
  var format = PixelFormat.yuv422p10
  var codec = VideoCodecType.proRes422HQ
  var kernels: KernelChoice?
  var threads = 1
  var frames = 100
  var mode = ProResEncoder.RateMode.target
  var isPerceptual = false
  var fields = FieldOrder.progressive
  var movie: String?

  init(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--size": size = rest.popFirst().flatMap(VideoDimensions.init) ?? size
      case "--format": format = rest.popFirst().flatMap(PixelFormat.init(rawValue:)) ?? format
      case "--codec": codec = rest.popFirst().flatMap(VideoCodecType.init(shortName:)) ?? codec
      case "--kernels": kernels = rest.popFirst().flatMap(KernelChoice.init(rawValue:))
      case "--threads": threads = rest.popFirst().flatMap { Int($0) } ?? threads
      case "--frames": frames = rest.popFirst().flatMap { Int($0) } ?? frames
      case "--quality": mode = .constantQuality(rest.popFirst().flatMap { Int($0) } ?? 4)
      case "--bytes": mode = .frameBytes(rest.popFirst().flatMap { Int($0) } ?? 100_000)
      case "--perceptual": isPerceptual = true
      case "--tff": fields = .topFieldFirst
      case "--bff": fields = .bottomFieldFirst
      case "--movie": movie = rest.popFirst()
      default: file = argument
      }
    }
  }
}

func processorSeconds() -> Double {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
}

func frames(_ options: Options) throws -> [PixelBuffer] {
  let data = try Data(contentsOf: URL(fileURLWithPath: options.file), options: .alwaysMapped)
  let (width, height) = (options.size.width, options.size.height)
  let frameSize = options.format.byteCount(width: width, height: height)
  return try (0..<min(data.count / frameSize, 32)).map { index in
    var frame = try MutablePixelBuffer(
      .init(format: options.format, width: width, height: height, fieldOrder: options.fields))
    var offset = index * frameSize
    for plane in 0..<frame.planeCount {
      let length = options.format.minimumBytesPerRow(plane: plane, width: width)
      for row in 0..<options.format.rows(plane: plane, height: height) {
        let stride = frame.bytesPerRow(plane: plane)
        _ = frame.withUnsafeMutableBytes(ofPlane: plane) { bytes in
          data.copyBytes(
            to: UnsafeMutableRawBufferPointer(rebasing: bytes[(row * stride)...]),
            from: offset..<offset + length)
        }
        offset += length
      }
    }
    return frame.finish()
  }
}

func run(_ options: Options) throws {
  guard let profile = ProResProfile(options.codec) else { return }
  let frames = try frames(options)
  let encoder = try ProResEncoder(
    configuration: .init(
      profile: profile, width: options.size.width, height: options.size.height, frameRate: .fps25,
      fieldOrder: options.fields, color: .bt709,
      alpha: options.format.descriptor.hasAlpha && profile.is4444 ? .bits16 : .none,
      threads: options.threads, rateMode: options.mode,
      isPerceptual: options.isPerceptual, kernels: options.kernels))
  let target = UnsafeMutableRawBufferPointer.allocate(
    byteCount: encoder.maximumFrameSize, alignment: 4096)
  defer { target.deallocate() }
  var movie = MinimalMovie(
    codec: options.codec.rawValue, width: options.size.width, height: options.size.height,
    rate: (25, 1))
  var sizes: [Int] = []
  var seconds: [Double] = []
  let clock = ContinuousClock()
  let wall = try clock.measure {
    for index in 0..<options.frames {
      let start = processorSeconds()
      let size = try encoder.encode(frames[index % frames.count], into: target)
      seconds.append(processorSeconds() - start)
      sizes.append(size)
      if options.movie != nil { movie.append(UnsafeRawBufferPointer(rebasing: target[..<size])) }
    }
  }
  if let path = options.movie { try movie.write(to: path) }
  seconds.sort()
  let mean = seconds.reduce(0, +) / Double(seconds.count) * 1000
  let average = sizes.reduce(0, +) / sizes.count
  print(
    String(
      format: "%@ %@ %@ threads %d: %.2f ms CPU a frame (median %.2f), %.1f fps, "
        + "%d bytes a frame (%.1f %% of target; largest %.2f %%, first %.2f %%)",
      options.codec.shortName, "\(options.size)", encoder.kernels.rawValue, options.threads, mean,
      seconds[seconds.count / 2] * 1000,
      Double(options.frames)
        / (Double(wall.components.attoseconds) / 1e18 + Double(wall.components.seconds)),
      average, 100 * Double(average) / Double(encoder.targetFrameSize ?? average),
      100 * Double(sizes.max() ?? 0) / Double(encoder.targetFrameSize ?? average),
      100 * Double(sizes[0]) / Double(encoder.targetFrameSize ?? average)))
}

try run(Options(Array(CommandLine.arguments.dropFirst())))
