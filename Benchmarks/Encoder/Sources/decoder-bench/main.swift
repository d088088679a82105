import CLibavDecoder
import Foundation
import MediaCore
import ProRes

/// Decodes the frames of a file repeatedly, alternating between our decoder and libavcodec's on one thread, and
/// reports CPU time per frame: medians of the rounds, and of the rounds' ratios.
///
///     ffmpeg -i MOVIE -c:v copy -an -f rawvideo frames.icpf
///     decoder-bench frames.icpf [--rounds 7] [--frames 24]

/// Results of a round.
struct Subject {
  let name: String
  let decode: (Int) throws -> Void
}

func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// The frames of a file with nothing else in it; each begins with its size.
func frames(_ path: String, most: Int) throws -> [[UInt8]] {
  let data = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
  var frames: [[UInt8]] = []
  var offset = 0
  while offset + 28 <= data.count, frames.count < most {
    let size = data[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    guard size >= 28, offset + size <= data.count else { break }
    frames.append([UInt8](data[offset..<offset + size]))
    offset += size
  }
  return frames
}

func subjects(_ frames: [[UInt8]], _ header: FrameHeader) throws -> [Subject] {
  var subjects: [Subject] = []
  func add(_ name: String, _ configuration: ProResDecoder.Configuration) throws {
    let decoder = try ProResDecoder(configuration: configuration)
    var buffer = try MutablePixelBuffer(try decoder.details(of: header))
    subjects.append(
      Subject(name: name) { index in
        let frame = frames[index]
        try decoder.decode(frame.span.bytes, into: &buffer)
      })
  }
  for kernels in KernelChoice.available where kernels != .reference {
    try add(kernels.rawValue, .init(threads: 1, kernels: kernels))
  }
  try add("an eighth", .init(scale: .eighth, threads: 1))
  let checker = FrameChecker()
  subjects.append(Subject(name: "checker") { _ = checker.check(frames[$0]) })
  let tag = header.chromaFormat == .yuv444 ? "ap4h" : "apch"
  if let peer = libav_decoder_make(Int32(header.width), Int32(header.height), tag) {
    for frame in frames { _ = libav_decoder_add(peer, frame, frame.count) }
    subjects.append(
      Subject(name: "libavcodec") { index in
        if libav_decoder_decode(peer, index) == 0 { print("libavcodec refuses frame \(index)") }
      })
  }
  return subjects
}

func run(_ arguments: [String]) throws {
  func number(after name: String, or usual: Int) -> Int {
    arguments.firstIndex(of: name).flatMap { arguments.dropFirst($0 + 1).first }
      .flatMap { Int($0) } ?? usual
  }
  guard let path = arguments.first else { return print("name a file of frames") }
  let frames = try frames(path, most: number(after: "--frames", or: 24))
  guard let first = frames.first else { return print("\(path) has no frames") }
  let header = try FrameHeader(parsing: first.span.bytes)
  let subjects = try subjects(frames, header)
  var times = [[Double]](repeating: [], count: subjects.count)
  for round in 0...number(after: "--rounds", or: 7) {
    for (place, subject) in subjects.enumerated() {
      let start = processorSeconds()
      for index in frames.indices { try subject.decode(index) }
      // The first round fills tables, caches and pools.
      guard round > 0 else { continue }
      times[place].append((processorSeconds() - start) / Double(frames.count) * 1000)
    }
  }
  let bytes = frames.reduce(0) { $0 + $1.count } / frames.count
  print("\(header.width)x\(header.height), \(frames.count) frames of \(bytes) bytes, one thread")
  for (place, subject) in subjects.enumerated() {
    let ratios = zip(times[subjects.count - 1], times[place]).map { $0 / $1 }
    print(
      subject.name.padding(toLength: 12, withPad: " ", startingAt: 0)
        + String(
          format: "%8.2f ms CPU a frame   libavcodec x %.2f", median(times[place]), median(ratios)))
  }
}

try run(Array(CommandLine.arguments.dropFirst()))
