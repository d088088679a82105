import AVFoundationCompat
import Testing

/// Types based on strings: as in AVFoundation, they accept any text.
@Suite struct TextTypeTests {
  @Test func a_media_type_accepts_any_string() {
    // Without `?`, because programs keep such a type in a non-optional property.
    let types: [AVMediaType] = [AVMediaType(rawValue: "vide"), AVMediaType("auxv")]
    #expect(types[0] == .video && types[1].rawValue == "auxv")
    switch types[1] {
    case .video, .audio: Issue.record("auxv matched video or audio")
    default: break
    }
  }

  @Test func other_string_types_accept_any_string_with_or_without_a_label() {
    #expect(AVFileType("public.mpeg-4") == .mp4)
    #expect(AVMediaCharacteristic("AVMediaCharacteristicVisual") == .visual)
    #expect(AVMetadataKeySpace("mdta") == .quickTimeMetadata)
    #expect(AVMetadataFormat("com.apple.quicktime.mdta") == .quickTimeMetadata)
    #expect(AVMetadataKey("title") == .commonKeyTitle)
    #expect(AVMetadataIdentifier("common/title") == .commonIdentifierTitle)
    #expect(AVMetadataExtraAttributeKey("info") == .info)
    let codecs: [AVVideoCodecType] = [AVVideoCodecType(rawValue: "apch")]
    let presets: [AVCaptureSession.Preset] = [.init(rawValue: "AVCaptureSessionPresetHigh")]
    let devices: [AVCaptureDevice.DeviceType] = [.init(rawValue: "AVCaptureDeviceTypeExternal")]
    #expect(codecs == [.proRes422HQ] && presets == [.high] && devices == [.external])
  }
}
