import CFFmpeg
import MediaCore

/// When the first pictures of a track are shown, from which a rate can be told that keeps them in their places.
///
/// Containers whose clock is coarse, and pictures whose rate varies, have no rate that could be read
/// off: libavformat's guess is then a mean, or a multiple of what there is.
struct FrameTimes {
  /// Times in seconds, in order.
  private let times: [Double]
  /// Seconds by which times may be off: a tick of the track's clock.
  private let tick: Double

  /// Pictures that are looked at.
  private static let limit = 3000
  /// Packets that are read for them.
  private static let packetLimit = 20_000
  /// Bytes of packets that are read for them.
  private static let byteLimit = 64 << 20
  /// Pictures of which a rate can be told.
  private static let fewest = 8
  /// Seconds from one picture to another at most, within one stretch of the clock.
  private static let longestPause = 10.0
  /// Rates that are tried, slowest first.
  private static let candidates: [FrameRate] = {
    let slow = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 20].compactMap { FrameRate($0) }
    let odd = [FrameRate(25, 2), FrameRate(15000, 1001), FrameRate(120_000, 1001)]
    let fast = [72, 90, 100, 120].compactMap { FrameRate($0) }
    return (slow + odd.compactMap(\.self) + FrameRate.standard + fast)
      .sorted { $0.framesPerSecond < $1.framesPerSecond }
  }()

  init(times: [Double], tick: Double) {
    // Two fields of a frame may be packets of one time.
    self.times = Set(times).sorted()
    self.tick = tick
  }

  /// The times of a stream of a QuickTime or MPEG-4 file, by its index, whose order is that of decoding; nil
  /// for one without.
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

  /// The times of a track of a file, which is opened once more.
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
      // The second field of a frame has a time of its own, and is no frame.
      let isSecond = parser?.isSecondField(packet) ?? false
      guard !packet.isDiscarded, !isSecond else { continue }
      if packet.decodeTimeStamp.isNumeric { decodeTimes.append(packet.decodeTimeStamp.seconds) }
      guard packet.presentationTimeStamp.isNumeric else { continue }
      let time = packet.presentationTimeStamp.seconds
      // Where the clock begins anew, what comes has places of its own.
      if let latest, abs(time - latest) > Self.longestPause { break }
      latest = max(latest ?? time, time)
      times.append(time)
    }
    // GXF and AVI say when pictures are decoded: some of those that others are shown before have no other time.
    self.init(
      times: decodeTimes.count > times.count ? decodeTimes : times,
      tick: Double(base.num) / Double(base.den))
  }

  /// True where what a container says of its rate is not to be believed.
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

  /// The rate; nil where too little is known.
  ///
  /// - Parameter guess: The container's, which counts where no usual rate fits.
  func rate(guess: FrameRate) -> FrameRate? {
    // A few pictures between the usual places are no reason to show each of the others four times.
    let greatest = 1.5 / usualInterval
    let areFew = times.count < Self.fewest
    // Of two or three pictures the guess may be the container's clock.
    guard !areFew || (times.count > 1 && guess.framesPerSecond > greatest) else { return nil }
    // On a clock of one tick a picture each slower rate is within a tick for as long as no two share a slot.
    if isSteady(at: guess) { return guess }
    let slack = max(tick, 0.0011)
    let fits = (Self.candidates + [guess]).map(fit)
      .sorted { $0.rate.framesPerSecond < $1.rate.framesPerSecond }
    let exact = fits.filter {
      $0.rate.framesPerSecond <= greatest && $0.error <= slack && $0.crowded * 200 <= times.count
    }
    if areFew { return exact.min { $0.error < $1.error }?.rate }
    // Of 29.97 and 30 a short clip allows both.
    if let first = exact.first {
      let near = exact.filter { $0.rate.framesPerSecond < first.rate.framesPerSecond * 1.002 }
      return near.min { $0.error < $1.error }?.rate
    }
    // Their rate varies: the slowest in which hardly more of them share a place than in any other.
    let usual = fits.filter { $0.rate.framesPerSecond >= 23 && Self.candidates.contains($0.rate) }
    let least = usual.map(\.crowded).min() ?? 0
    return usual.first { $0.crowded <= least + times.count / 50 }?.rate
  }

  /// True if each picture has the slot behind that of the one before.
  private func isSteady(at rate: FrameRate) -> Bool {
    guard let start = times.first, times.count > 1 else { return false }
    return times.enumerated().allSatisfy { index, time in
      abs((time - start) * rate.framesPerSecond - Double(index)) < 0.01
    }
  }

  /// The median of the intervals, in seconds.
  private var usualInterval: Double {
    let intervals = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
    return intervals.isEmpty ? .infinity : max(intervals[intervals.count / 2], 1e-6)
  }

  /// How pictures lie in the slots of a rate.
  private struct Fit {
    let rate: FrameRate
    /// Seconds from the nearest slot, but for the furthest twentieth of them.
    let error: Double
    /// Pictures that find their slot taken.
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
