import AVFoundationCompat

/// Reads what samples are from their format descriptions, and makes descriptions.
final class FormatFacts: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
  AVCaptureAudioDataOutputSampleBufferDelegate, @unchecked Sendable
{
  private let session = AVCaptureSession()
  private let queue = DispatchQueue(label: "facts")
  private let both = DispatchGroup()
  private var size: CMVideoDimensions?
  private var basic: AudioStreamBasicDescription?

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    guard let format = sampleBuffer.formatDescription else { return }
    switch format.mediaType {
    case .video where size == nil:
      size = CMVideoFormatDescriptionGetDimensions(format)
      both.leave()
    case .audio where basic == nil:
      guard let description = CMSampleBufferGetFormatDescription(sampleBuffer),
        let asbd = CMAudioFormatDescriptionGetStreamBasicDescription(description)
      else { return }
      basic = asbd.pointee
      both.leave()
    default: break
    }
  }

  func inspect() throws {
    guard let microphone = AVCaptureDevice(uniqueID: "tone") else {
      throw AVError(.deviceNotConnected)
    }
    let video = AVCaptureVideoDataOutput()
    let audio = AVCaptureAudioDataOutput()
    session.addInput(try AVCaptureDeviceInput(device: .testCamera()))
    session.addInput(try AVCaptureDeviceInput(device: microphone))
    for output in [video, audio] as [AVCaptureOutput] where session.canAddOutput(output) {
      session.addOutput(output)
    }
    both.enter()
    both.enter()
    video.setSampleBufferDelegate(self, queue: queue)
    audio.setSampleBufferDelegate(self, queue: queue)
    session.startRunning()
    let result = both.wait(timeout: .now() + 60)
    session.stopRunning()
    expect(result == .success, "video or audio is missing")
    queue.sync {
      expect(size?.width == 640 && size?.height == 360, "the size is \(String(describing: size))")
      if let basic {
        expect(basic.mSampleRate > 0 && basic.mChannelsPerFrame > 0, "the audio is \(basic)")
        expect(basic.mFormatID == kAudioFormatLinearPCM, "the audio is compressed")
      }
    }
  }

  static func run() async throws {
    try FormatFacts().inspect()
    let movie = try CMFormatDescription(videoCodecType: .proRes422, width: 1920, height: 1080)
    expect(movie.mediaType == .video && movie.mediaSubType == .proRes422, "it is \(movie)")
    expect(movie.dimensions.width == 1920, "the width differs")
    let h264 = CMFormatDescription.MediaSubType.h264
    expect(h264.rawValue == kCMVideoCodecType_H264 && h264 != .hevc, "codec codes differ")
    var stereo = AudioStreamBasicDescription(
      mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2,
      mBitsPerChannel: 16, mReserved: 0)
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo
    var description: CMAudioFormatDescription?
    let status = CMAudioFormatDescriptionCreate(
      allocator: kCFAllocatorDefault, asbd: &stereo, layoutSize: MemoryLayout.size(ofValue: layout),
      layout: &layout, magicCookieSize: 0, magicCookie: nil, extensions: nil,
      formatDescriptionOut: &description)
    expect(status == noErr, "no audio description: \(status)")
    guard let description else { return }
    expect(
      description.audioStreamBasicDescription?.mChannelsPerFrame == 2, "there are not two channels")
    expect(CMFormatDescriptionGetMediaType(description) == kCMMediaType_Audio, "it is not audio")
  }
}
