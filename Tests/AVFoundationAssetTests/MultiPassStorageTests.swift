import AVFoundationCompat
import Testing

/// There is only one pass, which is reported to a program that asks for two.
@Suite struct MultiPassStorageTests {
  @Test func multi_pass_storage_is_unsupported() {
    var storage: VTMultiPassStorage?
    let status = VTMultiPassStorageCreate(
      allocator: nil, fileURL: nil, timeRange: .invalid, options: nil, multiPassStorageOut: &storage
    )
    #expect(status == kVTPropertyNotSupportedErr && storage == nil)
    if let storage { VTMultiPassStorageClose(storage) }
  }

  @Test func a_compression_session_supports_no_second_pass() throws {
    var made: VTCompressionSession?
    VTCompressionSessionCreate(
      allocator: nil, width: 64, height: 48, codecType: kCMVideoCodecType_AppleProRes422,
      encoderSpecification: nil, imageBufferAttributes: nil, compressedDataAllocator: nil,
      outputCallback: nil, refcon: nil, compressionSessionOut: &made)
    let session = try #require(made)
    defer { VTCompressionSessionInvalidate(session) }
    let flags: VTCompressionSessionOptionFlags = .beginFinalPass
    #expect(
      VTCompressionSessionBeginPass(session, flags: flags, nil) == kVTPropertyNotSupportedErr)
    var further: DarwinBoolean = true
    let status = VTCompressionSessionEndPass(session, furtherPassesRequestedOut: &further, nil)
    #expect(status == kVTPropertyNotSupportedErr && !further.boolValue)
  }
}
