import AVFoundationCompat
import Testing

/// The formats in which audio is available.
@Suite struct AudioFormatListTests {
  @Test func an_audio_description_lists_its_only_format() throws {
    for format: AudioFormat in [
      AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int16),
      AudioFormat(sampleRate: 44_100, channelCount: 1, sampleFormat: .float32),
      AudioFormat(sampleRate: 96_000, channelCount: 8, sampleFormat: .int24),
    ] {
      let description: CMAudioFormatDescription = .audio(format)
      let richest = try #require(CMAudioFormatDescriptionGetRichestDecodableFormat(description))
      let item: AudioFormatListItem = richest.pointee
      #expect(item.mASBD == description.audioStreamBasicDescription)
      #expect(item.mASBD.mChannelsPerFrame == UInt32(format.channelCount))
      // The number of channels, but not their roles.
      let tag = item.mChannelLayoutTag
      #expect(AudioChannelLayoutTag_GetNumberOfChannels(tag) == UInt32(format.channelCount))
      #expect(tag & 0xFFFF_0000 == kAudioChannelLayoutTag_Unknown)
      let usual = CMAudioFormatDescriptionGetMostCompatibleFormat(description)
      #expect(usual?.pointee == item)
      var size = 0
      let list = try #require(CMAudioFormatDescriptionGetFormatList(description, sizeOut: &size))
      #expect(size / MemoryLayout<AudioFormatListItem>.stride == 1)
      #expect(list.pointee == item && item != AudioFormatListItem())
      // The address does not change.
      #expect(CMAudioFormatDescriptionGetRichestDecodableFormat(description) == richest)
    }
  }

  @Test func video_descriptions_list_no_audio_formats() throws {
    var description: CMVideoFormatDescription?
    CMVideoFormatDescriptionCreate(
      allocator: nil, codecType: kCMVideoCodecType_AppleProRes422, width: 64, height: 48,
      extensions: nil, formatDescriptionOut: &description)
    let frames = try #require(description)
    var size = 7
    #expect(CMAudioFormatDescriptionGetFormatList(frames, sizeOut: &size) == nil && size == 0)
    #expect(CMAudioFormatDescriptionGetRichestDecodableFormat(frames) == nil)
    #expect(CMAudioFormatDescriptionGetMostCompatibleFormat(frames) == nil)
  }
}
