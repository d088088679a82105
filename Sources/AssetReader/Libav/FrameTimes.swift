import CFFmpeg
import MediaCore

/// Presentation times of a track's first frames, from which a rate is derived that gives each its
/// own slot.
///
/// With a coarse container clock or a variable rate, libavformat's guess is only a mean or a
/// multiple of the actual rate.
struct FrameTimes {
  /// Sorted times, in seconds.
  private let times: [Double]
  /// A tick of the track's clock in seconds, by which times may be off.
  private let tick: Double

  /// The maximum number of frames examined.
  private static let limit = 3000
  /// The maximum number of packets read.
  private static let packetLimit = 20_000
  /// The maximum number of packet bytes read.
  private static let byteLimit = 64 << 20
  /// The fewest frames that determine a rate.
  private static let fewest = 8
  /// The longest interval between frames, in seconds; a longer one is a jump of the clock.
  private static let longestPause = 10.0
  /// Candidate rates, slowest first.
  private static let candidates: [FrameRate] = {
    let slow = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 20].compactMap { FrameRate($0) }
    let odd = [FrameRate(25, 2), FrameRate(15000, 1001), FrameRate(120_000, 1001)]
    let fast = [72, 90, 100, 120].compactMap { FrameRate($0) }
    return (slow + odd.compactMap(\.self) + FrameRate.standard + fast)
      .sorted { $0.framesPerSecond < $1.framesPerSecond }
  }()

  init(times: [Double], tick: Double) {
    // The two fields of a frame may be packets with the same time.
    self.times = Set(times).sorted()
    self.tick = tick
  }

  /// Reads the times of a QuickTime or MPEG-4 stream from its index, which is in decode order; nil
  /// without an index.
  init?(indexOf stream: UnsafeMutablePointer<AVStream>, in movie: LibavMovie) {
    let count = min(Int(avformat_index_get_entries_count(stream)), Self.limit)
    let base = stream.pointee.time_base
    guard movie.hasWholeIndex, count >= Self.fewest, base.den > 0 else { return nil }
    let tick = Double(base.num) / Double(base.den)
    let times = (0..<count).compactMap { place -> Double? in
      avformat_index_get_entry(stream, Int32(place)).map { Double($0.pointee.timestamp) * tick }
    }
    self.init(times: times, tick: tick)
  }

  /// Reads the times of a track from its packets. Opens the file once more.
  init?(of track: Int, in path: String, looksLikeText: Bool) {
    guard let movie = try? LibavMovie(path: path, looksLikeText: looksLikeText),
      let stream = movie.stream(track), case let base = stream.pointee.time_base, base.den > 0
    else { return nil }
    movie.select([track])
    let parser = FieldParser.ofSeparateFields(stream, of: movie)
    var (times, decodeTimes, latest, bytes) = ([Double](), [Double](), Double?.none, 0)
    for _ in 0..<Self.packetLimit where times.count < Self.limit && bytes < Self.byteLimit {
      guard let packet = try? movie.nextPacket() else { break }
      bytes += packet.byteCount
      // A frame's second field has its own time, but is not a frame.
      let isSecond = parser?.isSecondField(packet) ?? false
      guard !packet.isDiscarded, !isSecond else { continue }
      if packet.decodeTimeStamp.isNumeric { decodeTimes.append(packet.decodeTimeStamp.seconds) }
      guard packet.presentationTimeStamp.isNumeric else { continue }
      let time = packet.presentationTimeStamp.seconds
      // The clock jumped: later times have nothing to do with the earlier ones.
      if let latest, abs(time - latest) > Self.longestPause { break }
      latest = max(latest ?? time, time)
      times.append(time)
    }
    // GXF and AVI store decode times; some reordered frames have no presentation time.
    self.init(
      times: decodeTimes.count > times.count ? decodeTimes : times,
      tick: Double(base.num) / Double(base.den))
  }

  /// True if the container's rate is not reliable.
  static func areWanted(_ stream: UnsafeMutablePointer<AVStream>, guess: FrameRate?) -> Bool {
    guard let guess else { return false }
    let (mean, least) = (stream.pointee.avg_frame_rate, stream.pointee.r_frame_rate)
    func isNear(_ rate: AVRational) -> Bool {
      guard rate.num > 0, rate.den > 0 else { return false }
      let ratio = Double(rate.num) / Double(rate.den) / guess.framesPerSecond
      return abs(ratio - 1) < 0.0005
    }
    return !candidates.contains(guess) || !isNear(mean) || !isNear(least)
  }

  /// The frame rate; nil if too little is known.
  ///
  /// - Parameter guess: The container's rate, used if no usual rate fits.
  func rate(guess: FrameRate) -> FrameRate? {
    // A few frames between the usual slots do not justify repeating all others four times.
    let greatest = 1.5 / usualInterval
    let areFew = times.count < Self.fewest
    // With two or three frames, the guess may be the container's clock rate.
    guard !areFew || (times.count > 1 && guess.framesPerSecond > greatest) else { return nil }
    // If the clock has one tick per frame, every slower rate fits within a tick until two frames
    // share a slot.
    if isSteady(at: guess) { return guess }
    let slack = max(tick, 0.0011)
    let fits = (Self.candidates + [guess]).map(fit)
      .sorted { $0.rate.framesPerSecond < $1.rate.framesPerSecond }
    let exact = fits.filter {
      $0.rate.framesPerSecond <= greatest && $0.error <= slack && $0.crowded * 200 <= times.count
    }
    if areFew { return exact.min { $0.error < $1.error }?.rate }
    // A short clip fits both 29.97 and 30.
    if let first = exact.first {
      let near = exact.filter { $0.rate.framesPerSecond < first.rate.framesPerSecond * 1.002 }
      return near.min { $0.error < $1.error }?.rate
    }
    // The rate varies: take the slowest at which hardly more frames share a slot than at any other.
    let usual = fits.filter { $0.rate.framesPerSecond >= 23 && Self.candidates.contains($0.rate) }
    let least = usual.map(\.crowded).min() ?? 0
    return usual.first { $0.crowded <= least + times.count / 50 }?.rate
  }

  /// True if each frame takes the slot after the previous frame's.
  private func isSteady(at rate: FrameRate) -> Bool {
    guard let start = times.first, times.count > 1 else { return false }
    return times.enumerated().allSatisfy { index, time in
      abs((time - start) * rate.framesPerSecond - Double(index)) < 0.01
    }
  }

  /// The median interval, in seconds.
  private var usualInterval: Double {
    let intervals = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
    return intervals.isEmpty ? .infinity : max(intervals[intervals.count / 2], 1e-6)
  }

  /// How well frames fit the slots of a rate.
  private struct Fit {
    let rate: FrameRate
    /// The 95th percentile of the distance from the nearest slot, in seconds.
    let error: Double
    /// The number of frames whose slot is already taken.
    let crowded: Int
  }

  private func fit(_ rate: FrameRate) -> Fit {
    guard let start = times.first else { return Fit(rate: rate, error: .infinity, crowded: 0) }
    var errors: [Double] = []
    var (last, crowded) = (-1.0, 0)
    for time in times {
      let place = (time - start) * rate.framesPerSecond
      let slot = place.rounded()
      errors.append(abs(place - slot) / rate.framesPerSecond)
      if slot <= last { crowded += 1 }
      last = max(slot, last)
    }
    errors.sort()
    return Fit(rate: rate, error: errors[errors.count * 19 / 20], crowded: crowded)
  }
}
