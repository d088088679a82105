import CFFmpeg
import MediaCore
import QuickTime

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// What the beginning of a compressed movie says: tracks, facts, fragments.
struct CompressedMovieHeader {
  private let setup: MovieSetup
  private let fileType: FileType
  /// How media segments are made; nil for a file.
  private let segmentation: MediaSegmentation?

  init(_ setup: MovieSetup, fileType: FileType, _ segmentation: MediaSegmentation? = nil) {
    self.setup = setup
    self.fileType = fileType
    self.segmentation = segmentation
  }

  /// True where the file is written in fragments of an interval.
  var isFragmented: Bool {
    audioFile == nil && segmentation == nil
      && setup.configuration.movieFragmentInterval.isNumeric
  }

  /// What is added to the times of packets: media segments keep the source's times, so that those of several writers
  /// fit together.
  var timeOffset: MediaTime {
    segmentation != nil && setup.sessionStart > .zero ? setup.sessionStart : .zero
  }

  /// True where a track's fragments have the source's times themselves. Near 0 what an encoder puts before its first
  /// sample would lie before time begins: there edit lists have them.
  private var hasSourceTimes: Bool { timeOffset.seconds >= 1 }

  private var audioFile: AudioFile? { AudioFile(fileType) }

  /// What the muxer is told.
  var options: [String: String] {
    if let audioFile { return audioFile.options }
    var (flags, options) = (["use_metadata_tags"], [String: String]())
    if let segmentation {
      flags += ["empty_moov", "delay_moov", "frag_custom", "default_base_moof", "skip_trailer"]
      if hasSourceTimes { flags.append("frag_discont") }
      if segmentation.profile == .cmaf {
        flags.append("cmaf")
        // FFmpeg 7 makes some all the same.
        options["use_editlist"] = "0"
      }
      options["write_tmcd"] = "0"
    } else if isFragmented {
      // The index waits for the first packets, whose times its edit lists need.
      flags += ["empty_moov", "delay_moov"]
      // The muxer counts microseconds in 32 bits.
      let seconds = min(max(setup.configuration.movieFragmentInterval.seconds, 0.04), 2000)
      options["frag_duration"] = "\(Int(seconds * 1_000_000))"
    }
    // Edit lists count in units of the movie: audio must end with its last sample.
    options["movie_timescale"] = "\(movieTimescale)"
    options["movflags"] = flags.map { "+" + $0 }.joined()
    if fileType == .m4v { options["brand"] = "M4V " }
    return options
  }

  private var movieTimescale: Int {
    let rates = setup.tracks.lazy.compactMap { track -> Int? in
      if case .audio(let settings, _) = track { settings.format.sampleRate } else { nil }
    }
    return rates.first ?? 48_000
  }

  // MARK: Tracks

  /// Seconds of a unit of the times of a track's packets.
  static func timeBase(of video: MovieSetup.VideoTrack) -> AVRational {
    let rate = video.description.frameRate
    return AVRational(num: rate.denominator, den: rate.numerator)
  }

  /// Seconds of a unit of the times of a track's packets.
  static func timeBase(of audio: AudioOutputSettings) -> AVRational {
    AVRational(num: 1, den: Int32(clamping: audio.format.sampleRate))
  }

  /// Adds a video track.
  ///
  /// - Returns: The address of its first frame, where it has one.
  func add(
    _ video: MovieSetup.VideoTrack, _ writer: any VideoTrackWriter, to muxer: MovieMuxer
  ) throws(QuickTimeError) -> Timecode? {
    let (description, rate) = (video.description, video.description.frameRate)
    let stream = try muxer.addStream(timeBase: Self.timeBase(of: video), writer.describe)
    stream.pointee.sample_aspect_ratio = AVRational(
      num: description.pixelAspectRatio.horizontal, den: description.pixelAspectRatio.vertical)
    stream.pointee.codecpar.pointee.sample_aspect_ratio = stream.pointee.sample_aspect_ratio
    let pace = video.form.pace
    stream.pointee.avg_frame_rate = AVRational(num: pace.numerator, den: pace.denominator)
    try turn(stream, description)
    tell(stream, name: description.name, language: description.language)
    guard segmentation == nil, let timecode = setup.timecode, timecode.format.frameRate == rate
    else { return nil }
    let address = timecode.advanced(by: max(video.start - video.first, 0))
    av_dict_set(&stream.pointee.metadata, "timecode", "\(address)", 0)
    return address
  }

  /// Adds an audio track.
  func add(
    _ settings: AudioOutputSettings, _ writer: any AudioTrackWriter, to muxer: MovieMuxer
  ) throws(QuickTimeError) {
    let stream = try muxer.addStream(timeBase: Self.timeBase(of: settings), writer.describe)
    tell(stream, name: settings.name ?? "", language: settings.language)
  }

  private func tell(_ stream: UnsafeMutablePointer<AVStream>, name: String, language: String?) {
    if !name.isEmpty { av_dict_set(&stream.pointee.metadata, "title", name, 0) }
    guard let language else { return }
    // A QuickTime movie has numbers for languages, which libavformat knows by their older codes.
    let code = fileType == .mov ? Self.bibliographic[language] ?? language : language
    av_dict_set(&stream.pointee.metadata, "language", code, 0)
  }

  /// Codes of ISO 639-2/B where they are others than those of 639-2/T.
  private static let bibliographic = [
    "bod": "tib", "ces": "cze", "cym": "wel", "deu": "ger", "ell": "gre", "eus": "baq",
    "fas": "per", "fra": "fre", "hye": "arm", "isl": "ice", "kat": "geo", "mkd": "mac",
    "mri": "mao", "msa": "may", "mya": "bur", "nld": "dut", "ron": "rum", "slk": "slo",
    "sqi": "alb", "zho": "chi",
  ]

  /// The track header's matrix, by which a player rotates the video.
  private func turn(
    _ stream: UnsafeMutablePointer<AVStream>, _ description: VideoTrackDescription
  ) throws(QuickTimeError) {
    let (one, last) = (Int32(0x1_0000), Int32(0x4000_0000))
    let width = Int32(clamping: description.dimensions.width << 16)
    let height = Int32(clamping: description.dimensions.height << 16)
    let matrix: [Int32]
    switch (description.quarterTurns % 4 + 4) % 4 {
    case 1: matrix = [0, one, 0, -one, 0, 0, height, 0, last]
    case 2: matrix = [-one, 0, 0, 0, -one, 0, width, height, last]
    case 3: matrix = [0, -one, 0, one, 0, 0, 0, width, last]
    default: return
    }
    guard cffmpeg_stream_set_matrix(stream, matrix) == 0 else { throw EncoderContext.outOfMemory }
  }

  // MARK: Facts

  /// Writes the movie's metadata.
  ///
  /// - Throws: ``QuickTimeError/Code/invalidArgument`` for an item that is neither text nor a number, and for one
  ///   that an audio file has no field for.
  func describe(_ muxer: MovieMuxer) throws(QuickTimeError) {
    let began = setup.span.number == 1 ? setup.facts.creationTime : nil
    let created = Self.text(began ?? Int64(time(nil)))
    guard let audioFile else {
      for item in setup.facts.metadata.items { muxer.setMetadata(item.key, try item.plainText) }
      return muxer.setMetadata("creation_time", created)
    }
    // A day is what RIFF has a place for; a date among the facts counts for more.
    if audioFile == .wave { muxer.setMetadata("date", String(created.prefix(10))) }
    if audioFile == .coreAudio { muxer.setMetadata("creation_time", created) }
    for (name, value) in try audioFile.tags(setup.facts.metadata) { muxer.setMetadata(name, value) }
  }

  /// A time in seconds since 1970 UTC, as libavformat reads it.
  static func text(_ seconds: Int64) -> String {
    var (seconds, parts) = (time_t(seconds), tm())
    guard gmtime_r(&seconds, &parts) != nil else { return "" }
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(1900 + Int(parts.tm_year))-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
      + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)).000000Z"
  }
}
