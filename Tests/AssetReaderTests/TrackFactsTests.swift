import AssetReader
import MediaCore
import TestSupport
import Testing

@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
struct TrackFactsTests {
  @Test func a_prores_movie_is_described_completely() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mov")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=size=720x486:rate=30000/1001 -f lavfi -i sine=r=48000 -t 1.001 "
        + "-vf setsar=10/11,setfield=bff,setparams=color_primaries=smpte170m:color_trc=bt709:colorspace=smpte170m -c:v prores_ks -profile:v 2 -flags +ildct -field_order bb "
        + "-timecode 01:00:00;02 -c:a pcm_s24le -ac 2 \(path)")
    let reader = try AssetReader(path)
    let track = try #require(reader.videoTrack)
    #expect(track.codecName == "prores")
    #expect(track.codecTag == "apcn")
    #expect(track.profile == "Standard")
    #expect(track.frameRate == .fps29_97)
    #expect(track.sampleCount == 30)
    #expect(track.duration == MediaTime(value: 30030, timescale: 30000))
    #expect(track.timecodeText == "01:00:00;02")
    #expect(track.timecode?.description == "01:00:00;02")
    #expect(track.timecode?.format.isDropFrame == true)
    #expect(track.sourceBitDepth == 10)
    let video = try #require(track.video)
    #expect(video.mediaSubType == "x422")
    #expect(video.color == .smpte170M)
    #expect(video.fieldOrder == .bottomFieldFirst)
    #expect(video.pixelAspectRatio == PixelAspectRatio(10, 11))
    #expect(reader.audioTracks.first?.channelLayout == "stereo")
    try reader.select([track.id])
    let samples = try reader.allSamples()
    #expect(samples.count == 30)
    for (index, sample) in samples.enumerated() {
      #expect(sample.index == Int64(index))
      #expect(sample.isKeyFrame)
      #expect(
        sample.sampleBuffer.presentationTimeStamp
          == MediaTime(value: Int64(index) * 1001, timescale: 30000))
      #expect(
        sample.sampleBuffer.attachments.timecode == track.timecode?.advanced(by: Int64(index)))
      #expect(sample.sampleBuffer.imageBuffer?.fieldOrder == .bottomFieldFirst)
      #expect(sample.sampleBuffer.imageBuffer?.color == .smpte170M)
    }
  }

  @Test func a_stream_type_number_is_not_a_codec_tag() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.ts")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=0.2 -c:v mpeg2video -f mpegts \(path)")
    let track = try #require(try AssetReader(path).videoTrack)
    #expect(track.codecName == "mpeg2video" && track.codecTag == nil)
  }

  @Test func an_8_bit_420_movie_is_described_correctly() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mp4")
    try Judges.ffmpeg(
      // Tagged twice: FFmpeg 7 takes the color from the frames, FFmpeg 5 from the options.
      "-f lavfi -i testsrc2=size=320x180:rate=25 -frames:v 12 -c:v libx264 -bf 3 "
        + "-vf scale=out_range=full,setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709 "
        + "-pix_fmt yuv420p -color_range pc -colorspace bt709 -color_primaries bt709 "
        + "-color_trc bt709 \(path)")
    let reader = try AssetReader(path)
    #expect(reader.videoTrack?.video?.mediaSubType == "420f")
    let samples = try reader.allSamples()
    #expect(samples.count == 12)
    #expect(samples.allSatisfy { $0.sampleBuffer.imageBuffer?.format == .yuv420p8 })
    #expect(samples.allSatisfy { $0.sampleBuffer.imageBuffer?.color == .bt709.with(range: .full) })
    // Frames come in display order.
    let times = samples.map(\.sampleBuffer.presentationTimeStamp)
    #expect(times == times.sorted())
    #expect(
      zip(times, times.dropFirst()).allSatisfy { $1 - $0 == MediaTime(value: 1, timescale: 25) })
  }

  @Test func an_op_atom_mxf_warns_of_audio_in_other_files() throws {
    let folder = try TemporaryFolder()
    let source =
      "-f lavfi -i testsrc2=size=1280x720:rate=25 -frames:v 2 -c:v dnxhd -b:v 60M -pix_fmt yuv422p"
    try Judges.ffmpeg("\(source) -f mxf_opatom \(folder.path("atom.mxf"))")
    try Judges.ffmpeg("\(source) -f mxf \(folder.path("whole.mxf"))")
    let remarks = try AssetReader(folder.path("atom.mxf")).contents.remarks
    #expect(remarks.map(\.subject) == ["track"])
    #expect(remarks.allSatisfy { $0.isLoss && $0.message.contains("OP-Atom") })
    #expect(try AssetReader(folder.path("whole.mxf")).contents.remarks.isEmpty)
  }

  /// A track's matrix, the pixel aspect ratio in `pasp`, and the resulting pixel aspect ratio.
  @Test(
    arguments: [
      ([2, 0, 0, 1], [1, 1], "2:1"), ([2, 0, 0, 1], [4, 3], "8:3"), ([2, 0, 0, 1], [], "2:1"),
      ([0, 2, -1, 0], [], "2:1"), ([0, 2, -1, 0], [4, 3], "8:3"), ([0, 1, -1, 0], [4, 3], "4:3"),
    ] as [([Int32], [Int32], String)])
  func a_track_matrix_stretches_the_pixel_aspect_ratio(
    matrix: [Int32], shape: [Int32], shown: String
  ) throws {
    let folder = try TemporaryFolder()
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=size=64x64:rate=25 -frames:v 2 -vf setsar=4/3 -c:v qtrle "
        + folder.path("source.mov"))
    var bytes = try folder.bytes("source.mov")
    func words(_ numbers: [Int32]) -> [UInt8] {
      numbers.flatMap { number -> [UInt8] in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    }
    let one: Int32 = 65_536
    let (first, second) = (matrix[0...1].map { $0 * one }, matrix[2...3].map { $0 * one })
    var values: [Int32] = first + [0]
    values += second + [0]
    values += [0, 0, 16_384 * one]
    values += [64 * one, 64 * one]
    let header = try #require(bytes.firstRange(of: Array("tkhd".utf8))).upperBound + 40
    bytes.replaceSubrange(header..<header + 44, with: words(values))
    let entry = try #require(bytes.firstRange(of: Array("pasp".utf8)))
    if shape.isEmpty {
      bytes.replaceSubrange(entry, with: Array("skip".utf8))
    } else {
      bytes.replaceSubrange(entry.upperBound..<entry.upperBound + 8, with: words(shape))
    }
    try folder.write(bytes, "stretched.mov")
    let reader = try AssetReader(folder.path("stretched.mov"))
    let track = try #require(reader.videoTrack)
    #expect(track.video?.pixelAspectRatio.description == shown)
    #expect(track.rotation == (matrix[0] == 0 ? 90 : 0))
    let frame = try reader.nextSample()?.sampleBuffer.imageBuffer
    #expect(frame?.details.pixelAspectRatio.description == shown)
  }

  @Test func decoded_frames_use_the_memory_of_the_decoder() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mov")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=size=320x180:rate=25 -frames:v 4 -c:v prores_ks \(path)")
    let reader = try AssetReader(path)
    var frames = try reader.allSamples().compactMap(\.sampleBuffer.imageBuffer)
    #expect(reader.ledger.outstanding == 4)
    frames.removeLast(3)
    #expect(reader.ledger.outstanding == 1)
  }

  @Test func packets_have_the_bytes_and_times_of_the_file() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mov")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=size=320x180:rate=25 -frames:v 4 -c:v prores_ks \(path)")
    let file = try folder.bytes("a.mov")
    let reader = try AssetReader(path)
    var count = 0
    while let packet = try reader.nextPacket() {
      let start = Int(try #require(packet.filePosition))
      let isSame = packet.withUnsafeBytes {
        $0.elementsEqual(file[start..<start + packet.byteCount])
      }
      #expect(isSame)
      #expect(packet.withUnsafeBytes { Array($0[4..<8]) } == Array("icpf".utf8))
      #expect(packet.presentationTimeStamp == MediaTime(value: Int64(count), timescale: 25))
      #expect(packet.duration == MediaTime(value: 1, timescale: 25))
      #expect(packet.isKeyFrame && packet.index == count)
      count += 1
    }
    #expect(count == 4)
    #expect(throws: AssetReaderError.self) { try reader.nextSample() }
  }

  @Test func a_cover_image_is_not_a_track() throws {
    let folder = try TemporaryFolder()
    try Judges.ffmpeg("-f lavfi -i testsrc2=size=64x64 -frames:v 1 \(folder.path("c.png"))")
    try Judges.ffmpeg(
      "-f lavfi -i sine=r=44100:d=0.2 -i \(folder.path("c.png")) -map 0 -map 1 -c:v png "
        + "-disposition:v attached_pic \(folder.path("a.flac"))")
    let reader = try AssetReader(folder.path("a.flac"))
    #expect(reader.tracks.map(\.mediaType) == [.audio])
  }

  @Test(arguments: [("libvpx-vp9", false), ("utvideo", true), ("huffyuv", false)])
  func the_field_order_of_a_container_is_kept(codec: String, tells: Bool) throws {
    let folder = try TemporaryFolder()
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x48:r=25:d=0.2 -vf setfield=tff -c:v \(codec) -field_order tt "
        + folder.path("a.mkv"), by: "ffmpeg")
    let reader = try AssetReader(folder.path("a.mkv"))
    let track = try #require(reader.videoTrack)
    #expect(track.containerFieldOrder == .topFieldFirst && track.framesTellFieldOrder == tells)
    let frame = try reader.nextSample()?.sampleBuffer.imageBuffer
    #expect(frame?.details.fieldOrder == (tells ? .progressive : .topFieldFirst))
  }
}
