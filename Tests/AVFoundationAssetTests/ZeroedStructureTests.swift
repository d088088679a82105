import AVFoundationCompat
import Testing

/// C structures and Core Foundation's functions in Swift.
@Suite struct ZeroedStructureTests {
  @Test func structures_are_initialized_to_zero() {
    #expect(!CMTimeRange().isValid && CMTimeRange() == .invalid)
    #expect(CMTimeMapping().source == CMTimeRange() && CMTimeMapping().target == CMTimeRange())
  }

  @Test func integers_are_swapped_to_big_endian_and_back() {
    #expect(withUnsafeBytes(of: CFSwapInt16HostToBig(0x0102)) { Array($0) } == [1, 2])
    #expect(withUnsafeBytes(of: CFSwapInt32HostToBig(0x0102_0304)) { Array($0) } == [1, 2, 3, 4])
    #expect(CFSwapInt64BigToHost(CFSwapInt64HostToBig(5)) == 5)
    #expect(CFSwapInt32BigToHost(CFSwapInt32HostToBig(6)) == 6)
    #expect(CFSwapInt16BigToHost(CFSwapInt16HostToBig(7)) == 7)
  }

  @Test func a_channel_layout_keeps_its_structure() throws {
    let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
    #expect(layout.layout.pointee.mChannelLayoutTag == kAudioChannelLayoutTag_Stereo)
    #expect(layout.layout.pointee.mNumberChannelDescriptions == 0)
    let other = AVAudioChannelLayout(layout: layout.layout)
    #expect(other == layout && other.layout == layout.layout)
  }

  @Test func tracks_are_found_by_media_characteristic() async throws {
    let composition = AVMutableComposition()
    let track = try #require(
      composition.addMutableTrack(
        withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid))
    let found: [AVMutableCompositionTrack] = composition.tracks(withMediaCharacteristic: .visual)
    #expect(found == [track])
    #expect(composition.tracks(withMediaCharacteristic: .audible).isEmpty)
    let movie = AVMutableMovie(url: URL(filePath: "/no-such-movie.mov"))
    #expect(movie.tracks(withMediaCharacteristic: .visual).isEmpty)
    await #expect(throws: AVError.self) {
      try await AVURLAsset(url: URL(filePath: "/no-such-movie.mov"))
        .loadTracks(withMediaCharacteristic: .audible)
    }
  }
}
