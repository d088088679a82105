import Foundation
import MediaCore
import QuickTime
import TestSupport
import Testing

@testable import AssetWriter

/// Files of audio alone that are not movies: `.wav`, `.aiff` and `.caf`.
struct AudioFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // MARK: What they hold

  @Test(.tags(.judges), arguments: KnownAudioFile.all)
  func every_appended_sample_is_preserved(known: KnownAudioFile) async throws {
    var known = known
    (known.delay, known.gap) = (100, 4800)
    let path = folder.path("a.\(known.fileType.pathExtension)")
    let report = try await known.write(to: path)
    #expect(report.audio[0].samplesWritten == Int64(known.frameCount))
    #expect(Int(report.fileBytes) == (try Data(contentsOf: URL(filePath: path)).count))
    #expect(report.segments.map(\.isValid) == [true])
    let audio = try Judges.probe(path).stream("audio")
    #expect(audio.sample_rate == "48000" && audio.channels == known.format.channelCount)
    let order = known.fileType == .aiff ? "be" : "le"
    #expect(
      audio.codec_name
        == (known.compression == .none
          ? "pcm_s\(known.format.sampleFormat.bitDepth)\(order)" : "alac"))
    // Newer FFmpeg versions remove the remainder of a Core Audio file's last packet twice.
    let judge = known.compression == .none ? Judges.decoder : "ffmpeg"
    #expect(try Judges.decodeAudio(path, by: judge) == known.words)
  }

  @Test(
    .tags(.judges), arguments: [KnownAudioFile(.wav, .int24, 1), KnownAudioFile(.aiff, .int24, 1)])
  func odd_byte_counts_are_padded(known: KnownAudioFile) async throws {
    let name = "a.\(known.fileType.pathExtension)"
    try await known.write(to: folder.path(name))
    #expect(known.frameCount % 2 == 1)
    let bytes = try folder.bytes(name)
    let length = bytes[4..<8]
    let size =
      known.fileType == .wav
      ? length.reversed().reduce(0) { $0 << 8 | Int($1) } : length.reduce(0) { $0 << 8 | Int($1) }
    #expect(bytes.count % 2 == 0 && size == bytes.count - 8)
    #expect(try Judges.decodeAudio(folder.path(name)) == known.words)
  }

  @Test(arguments: [1, 4095, 4096, 4097, 9601])
  func core_audio_files_declare_packet_and_frame_counts(frames: Int) async throws {
    var known = KnownAudioFile(.caf, .int16, 2, .appleLossless)
    known.buffers = [frames]
    try await known.write(to: folder.path("a.caf"))
    let bytes = try folder.bytes("a.caf")
    let table = try #require(bytes.indices.last { bytes[$0...].starts(with: "pakt".utf8) })
    func number(_ place: Int, _ count: Int) -> Int {
      bytes[table + 12 + place..<table + 12 + place + count].reduce(0) { $0 << 8 | Int($1) }
    }
    let packets = (frames + 4095) / 4096
    #expect(number(0, 8) == packets && number(8, 8) == frames && number(16, 4) == 0)
    #expect(number(20, 4) == packets * 4096 - frames)
  }

  @Test(.tags(.judges)) func core_audio_files_use_the_requested_byte_order() async throws {
    for order in AudioOutputSettings.ByteOrder.allCases {
      let path = folder.path("\(order).caf")
      let known = KnownAudioFile(.caf, .int24, 1)
      var settings = known.settings
      settings.byteOrder = order
      let writer = try AssetWriter(path: path, fileType: .caf)
      let receiver = try writer.inputReceiver(for: AssetWriterInput(outputSettings: settings))
      try writer.start()
      try writer.startSession(atSourceTime: KnownAudioFile.start)
      for index in known.buffers.indices { try await known.append(index, to: receiver) }
      try await writer.finishWriting()
      let name = try Judges.probe(path).stream("audio").codec_name
      #expect(name == (order == .big ? "pcm_s24be" : "pcm_s24le"))
      #expect(try Judges.decodeAudio(path) == known.words)
    }
  }

  @Test func wave_files_reserve_room_to_become_rf64() async throws {
    try await KnownAudioFile(.wav).write(to: folder.path("a.wav"))
    let bytes = try folder.bytes("a.wav")
    // The chunk that becomes `ds64` (EBU Tech 3306) once lengths need 64 bits.
    #expect(bytes[12..<16].elementsEqual("JUNK".utf8) && bytes[16] == 28)
  }

  @Test(.tags(.judges)) func metadata_uses_each_file_types_keys() async throws {
    for fileType in [FileType.wav, .aiff, .caf] {
      let path = folder.path("a.\(fileType.pathExtension)")
      try await KnownAudioFile(fileType).write(to: path) { writer in
        writer.metadata["com.apple.quicktime.title"] = .text("A title")
        writer.creationTime = 1_600_000_000
        if fileType == .caf { writer.metadata["com.example.note"] = .integer(7) }
      }
      let tags = try #require(try Judges.probe(path).format.tags)
      #expect(tags["title"] == "A title")
      #expect(fileType != .wav || tags["date"] == "2020-09-13")
      #expect(fileType != .caf || tags["com.example.note"] == "7")
    }
  }

  // MARK: Ends

  @Test(.tags(.judges), arguments: [FileType.wav, .aiff, .caf], [3000, 100_000])
  func a_file_at_its_size_limit_ends_complete(fileType: FileType, limit: Int64) async throws {
    let path = folder.path("a.\(fileType.pathExtension)")
    var known = KnownAudioFile(fileType)
    known.buffers = [Int](repeating: 4800, count: 20)
    let writer = try AssetWriter(path: path, fileType: fileType)
    writer.configuration.segments.fileSizeLimit = limit
    await #expect(throws: AssetWriterError.self) { try await known.write(with: writer) }
    _ = try? await writer.finishWriting()
    #expect(writer.error?.recordingSuccessfullyFinished == true)
    #expect(writer.error?.message.contains("as large as it can be") == true)
    let size = try Data(contentsOf: URL(filePath: path)).count
    #expect(size <= limit && size > limit - 200)
    let words = try Judges.decodeAudio(path)
    #expect(words == Array(known.words.prefix(words.count)) && words.count * 3 > size - 1000)
    #expect(writer.report.audio[0].samplesWritten == Int64(words.count / 2))
  }

  @Test func aiff_files_stay_within_32_bit_lengths() {
    #expect(AudioFile.aiff.maximumByteCount == 0xFFFF_FFFF)
    #expect(AudioFile.wave.maximumByteCount == nil && AudioFile.coreAudio.maximumByteCount == nil)
    let extent = PlainAudioExtent(start: 100, bytesPerFrame: 6, maximumByteCount: 0xFFFF_FFFF)
    let room = extent.room(after: 0)
    #expect(extent.end(of: Int64(room)) <= 0xFFFF_FFFF - 64 && room > 715_827_000)
    #expect(extent.room(after: Int64(room) + 1) == 0)
    #expect(
      PlainAudioExtent(start: 100, bytesPerFrame: 6, maximumByteCount: 50).room(after: 0) == 0)
    #expect(extent.frames(in: 99) == 0 && extent.frames(in: 117) == 2)
    let odd = PlainAudioExtent(start: 100, bytesPerFrame: 3, maximumByteCount: nil)
    #expect(odd.frames(in: 110) == 2 && odd.room(after: .max) == .max)
  }

  @Test func linear_pcm_in_a_movie_stays_within_32_bit_sample_counts() throws {
    let movie = CompressedMovie(
      file: try FaultyMovieFile(path: folder.path("a.mov"), plan: .init()), fileType: .mov)
    let plain = KnownAudioFile(.mov).settings
    #expect(movie.room(for: plain, after: Int64(UInt32.max) - 5) == 5)
    #expect(movie.room(for: plain, after: .max) == 0)
    let compressed = CompressedTake.audio(.appleLossless)
    #expect(movie.room(for: compressed, after: Int64(UInt32.max)) == .max)
    #expect(movie.fullFile.code == .fileTooLarge && movie.fullFile.message.contains(".wav"))
  }

  @Test(.tags(.judges), arguments: [FileType.wav, .aiff, .caf], [1, 2])
  func a_full_disk_leaves_a_valid_audio_file(fileType: FileType, channels: Int) async throws {
    let path = folder.path("a.\(fileType.pathExtension)")
    var known = KnownAudioFile(fileType, .int24, channels)
    known.buffers = [Int](repeating: 4800, count: 40)
    let writer = AssetWriter(outputURL: URL(filePath: path), fileType: fileType) {
      url throws(QuickTimeError) in
      try FaultyMovieFile(path: url.path, plan: .init(capacity: 200_001))
    }
    await #expect(throws: AssetWriterError.self) { try await known.write(with: writer) }
    _ = try? await writer.finishWriting()
    #expect(writer.error?.code == .diskFull)
    #expect(writer.error?.recordingSuccessfullyFinished == true)
    let words = try Judges.decodeAudio(path)
    #expect(!words.isEmpty && words == Array(known.words.prefix(words.count)))
    #expect(writer.report.audio[0].samplesWritten == Int64(words.count / channels))
  }

  @Test(.tags(.judges), arguments: [FileType.wav, .aiff, .caf])
  func audio_after_a_failed_sync_is_discarded(fileType: FileType) async throws {
    let path = folder.path("a.\(fileType.pathExtension)")
    var known = KnownAudioFile(fileType)
    known.buffers = [Int](repeating: 4800, count: 50)
    let writer = AssetWriter(outputURL: URL(filePath: path), fileType: fileType) {
      url throws(QuickTimeError) in
      try FaultyMovieFile(path: url.path, plan: .init(onlyFailingSync: 3))
    }
    await #expect(throws: AssetWriterError.self) { try await known.write(with: writer) }
    _ = try? await writer.finishWriting()
    #expect(writer.error?.code == .fileFailed)
    #expect(writer.error?.recordingSuccessfullyFinished == true)
    // Two syncs, each of slightly more than half a second.
    let words = try Judges.decodeAudio(path)
    #expect((2 * 48_000...2 * 60_000).contains(words.count))
    #expect(words == Array(known.words.prefix(words.count)))
    #expect(writer.report.audio[0].samplesWritten == Int64(words.count / 2))
  }

  /// A disk that is full when the writer completes the file, and one that took no audio at all.
  @Test(.tags(.judges), arguments: [FileType.wav, .aiff, .caf])
  func a_disk_full_at_completion_loses_only_the_last_audio(fileType: FileType) async throws {
    let path = folder.path("a.\(fileType.pathExtension)")
    for (count, capacity) in [(14, 300_001), (3, 4001)] {
      var known = KnownAudioFile(fileType)
      known.buffers = [Int](repeating: 4800, count: count)
      let writer = AssetWriter(outputURL: URL(filePath: path), fileType: fileType) {
        url throws(QuickTimeError) in
        try FaultyMovieFile(path: url.path, plan: .init(capacity: UInt64(capacity)))
      }
      let error = await #expect(throws: AssetWriterError.self) {
        try await known.write(with: writer)
      }
      #expect(error?.code == .diskFull)
      guard count > 3 else {
        #expect(folder.contents.isEmpty && error?.recordingSuccessfullyFinished == false)
        continue
      }
      #expect(error?.recordingSuccessfullyFinished == true)
      let words = try Judges.decodeAudio(path)
      #expect(!words.isEmpty && words == Array(known.words.prefix(words.count)))
      try FileManager.default.removeItem(atPath: path)
    }
  }

  /// A copy made while the writer is writing stands for the file after a kill.
  @Test(.tags(.judges), arguments: [FileType.wav, .caf])
  func audio_on_the_disk_is_readable_after_a_kill(fileType: FileType) async throws {
    let path = folder.path("a.\(fileType.pathExtension)")
    var known = KnownAudioFile(fileType)
    known.buffers = [Int](repeating: 4800, count: 20)
    let writer = try AssetWriter(path: path, fileType: fileType)
    let receiver = try writer.inputReceiver(for: AssetWriterInput(outputSettings: known.settings))
    try writer.start()
    try writer.startSession(atSourceTime: KnownAudioFile.start)
    for index in known.buffers.indices { try await known.append(index, to: receiver) }
    try await eventually("a second is in the file") {
      try Data(contentsOf: URL(filePath: path)).count > 48_000 * 6
    }
    let copy = folder.path("b.\(fileType.pathExtension)")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    writer.cancelWriting()
    let words = try Judges.decodeAudio(copy)
    #expect(words.count >= 2 * 47_000 && words == Array(known.words.prefix(words.count)))
    #expect(folder.contents == ["b.\(fileType.pathExtension)"])
  }

  // MARK: What they refuse

  private func refusal(
    _ fileType: FileType, _ known: KnownAudioFile = KnownAudioFile(.wav),
    _ change: (inout AudioOutputSettings) -> Void
  ) throws -> String {
    let writer = try AssetWriter(path: folder.path("a"), fileType: fileType)
    var settings = known.settings
    change(&settings)
    let input = AssetWriterInput(outputSettings: settings)
    #expect(!writer.canAdd(input))
    let error = #expect(throws: AssetWriterError.self) { try writer.add(input) }
    #expect(error?.code == .invalidSettings)
    return try #require(error).message
  }

  @Test func audio_files_refuse_unsupported_tracks_by_name() throws {
    for fileType in [FileType.wav, .aiff, .caf] {
      let name = ".\(fileType.pathExtension)"
      let writer = try AssetWriter(path: folder.path("a"), fileType: fileType)
      let video = AssetWriterInput(
        outputSettings: VideoOutputSettings(codec: .proRes422, width: 64, height: 48))
      let error = #expect(throws: AssetWriterError.self) { try writer.add(video) }
      #expect(error?.message.contains("a \(name) file holds only audio") == true)
      try writer.add(AssetWriterInput(outputSettings: KnownAudioFile(fileType).settings))
      let second = #expect(throws: AssetWriterError.self) {
        try writer.add(AssetWriterInput(outputSettings: KnownAudioFile(fileType).settings))
      }
      #expect(second?.message.contains("one audio track") == true)
      #expect(try refusal(fileType) { $0.trackLayout = .mono }.contains("use one track"))
      #expect(try refusal(fileType) { $0.language = "deu" }.contains("language"))
      #expect(try refusal(fileType) { $0.name = "Boom" }.contains("name"))
      let surround = KnownAudioFile(fileType, .int16, 6)
      #expect(
        try refusal(fileType, surround) { $0.channelLayout = .tag(121 << 16 | 6) }
          .contains("cannot hold a channel layout"))
    }
    #expect(folder.contents.isEmpty)
  }

  @Test func audio_file_refusals_name_an_alternative() throws {
    #expect(try refusal(.wav) { $0.byteOrder = .big }.contains("little-endian"))
    #expect(try refusal(.aiff) { $0.byteOrder = .little }.contains("big-endian"))
    #expect(try refusal(.mov) { $0.byteOrder = .big }.contains("little-endian"))
    #expect(try refusal(.mp4) { _ in }.contains(".wav"))
    #expect(try refusal(.wav) { $0.format.sampleFormat = .float32 }.contains("integer samples"))
    guard (try? LibavCompressor.encoder(for: AudioCompression.appleLossless)) != nil,
      (try? LibavCompressor.encoder(for: AudioCompression.aac(bitRate: nil))) != nil
    else { try Test.cancel("libavcodec has no AAC or Apple Lossless encoder") }
    for fileType in [FileType.wav, .aiff] {
      #expect(try refusal(fileType) { $0.compression = .appleLossless }.contains(".caf"))
    }
    for fileType in [FileType.wav, .aiff, .caf] {
      #expect(try refusal(fileType) { $0.compression = .aac(bitRate: nil) }.contains(".m4a"))
    }
    let ordered = try refusal(.caf) {
      $0.compression = .appleLossless
      $0.byteOrder = .big
    }
    #expect(ordered.contains("byte order"))
  }

  @Test func audio_files_refuse_timecode_and_unsupported_metadata_at_the_start() throws {
    func refusal(_ fileType: FileType, _ prepare: (AssetWriter) -> Void) throws -> String {
      let writer = try AssetWriter(path: folder.path("a"), fileType: fileType)
      try writer.add(AssetWriterInput(outputSettings: KnownAudioFile(fileType).settings))
      prepare(writer)
      let error = #expect(throws: AssetWriterError.self) { try writer.start() }
      #expect(writer.status == .failed && error?.code == .invalidSettings)
      return try #require(error).message
    }
    for fileType in [FileType.wav, .aiff, .caf] {
      #expect(
        try refusal(fileType) {
          $0.configuration.startTimecode = Timecode("01:00:00:00", frameRate: .fps25)
        }.contains("no timecode"))
      #expect(
        try refusal(fileType) { $0.metadata["com.example.blob"] = .data(type: 0, bytes: [1]) }
          .contains("com.example.blob"))
    }
    #expect(
      try refusal(.wav) { $0.metadata.location = "+48.1374+011.5755/" }.contains("location"))
    #expect(
      try refusal(.aiff) {
        $0.metadata["com.apple.quicktime.author"] = .text("One")
        $0.metadata["com.apple.quicktime.artist"] = .text("Another")
      }.contains("artist"))
    #expect(folder.contents.isEmpty)
  }

  @Test func file_types_are_recognized_by_extension() {
    for fileType in FileType.allCases {
      #expect(FileType(pathExtension: fileType.pathExtension.uppercased()) == fileType)
    }
    #expect(FileType(pathExtension: "aif") == .aiff && FileType(pathExtension: "wave") == .wav)
    #expect(FileType(pathExtension: "aifc") == nil && FileType(pathExtension: "") == nil)
    let audio = FileType.allCases.filter(\.isAudioOnly)
    #expect(audio == [.m4a, .wav, .aiff, .caf])
  }
}
