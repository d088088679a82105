import AVFoundationCompat
import Testing

/// Taps and pitch algorithms of mixes, which have no effect here.
@Suite struct AudioTapTests {
  @Test func audio_taps_are_reported_as_unimplemented() {
    var calls = 0
    var callbacks = MTAudioProcessingTapCallbacks(
      version: kMTAudioProcessingTapCallbacksVersion_0, clientInfo: nil,
      init: { _, information, storage in storage.pointee = information },
      finalize: { _ in }, prepare: { _, _, _ in }, unprepare: { _ in },
      process: { tap, frames, _, buffers, framesOut, flagsOut in
        calls += 1
        _ = MTAudioProcessingTapGetStorage(tap)
        MTAudioProcessingTapGetSourceAudio(tap, frames, buffers, flagsOut, nil, framesOut)
      })
    var tap: MTAudioProcessingTap?
    let flags = kMTAudioProcessingTapCreationFlag_PreEffects
    #expect(MTAudioProcessingTapCreate(nil, &callbacks, flags, &tap) == kAudio_UnimplementedError)
    #expect(tap == nil && calls == 0)
    var older: Unmanaged<MTAudioProcessingTap>?
    let status = MTAudioProcessingTapCreate(
      kCFAllocatorDefault, &callbacks, kMTAudioProcessingTapCreationFlag_PostEffects, &older)
    #expect(status == kAudio_UnimplementedError && older == nil)
    #expect(kMTAudioProcessingTapFlag_StartOfStream != kMTAudioProcessingTapFlag_EndOfStream)

    let parameters = AVMutableAudioMixInputParameters()
    parameters.audioTapProcessor = tap
    #expect(parameters.audioTapProcessor == nil)
    let types: [Any.Type] = [
      MTAudioProcessingTapInitCallback.self, MTAudioProcessingTapFinalizeCallback.self,
      MTAudioProcessingTapPrepareCallback.self, MTAudioProcessingTapUnprepareCallback.self,
      MTAudioProcessingTapProcessCallback.self, MTAudioProcessingTapFlags.self,
      MTAudioProcessingTapCreationFlags.self,
    ]
    #expect(types.count == 7)
  }

  @Test func a_mix_keeps_its_pitch_algorithm_and_others_ignore_it() throws {
    let parameters = AVMutableAudioMixInputParameters()
    #expect(parameters.audioTimePitchAlgorithm == nil)
    parameters.audioTimePitchAlgorithm = .timeDomain
    let mix = AVMutableAudioMix()
    mix.inputParameters = [parameters]
    #expect(mix.inputParameters.first?.audioTimePitchAlgorithm == .timeDomain)
    let ways: [AVAudioTimePitchAlgorithm] = [
      .spectral, .timeDomain, .varispeed, .lowQualityZeroLatency,
    ]
    #expect(Set(ways.map(\.rawValue)).count == ways.count)

    let export = try #require(
      AVAssetExportSession(
        asset: AVMutableComposition(), presetName: AVAssetExportPresetPassthrough))
    export.audioTimePitchAlgorithm = .varispeed
    export.canPerformMultiplePassesOverSourceMediaData = true
    #expect(export.audioTimePitchAlgorithm == .spectral)
    #expect(!export.canPerformMultiplePassesOverSourceMediaData)
    let output = AVAssetReaderAudioMixOutput(audioTracks: [], audioSettings: nil)
    output.audioTimePitchAlgorithm = .varispeed
    #expect(output.audioTimePitchAlgorithm == .spectral)
  }

  @Test func audio_times_convert_to_time_stamps_and_back() {
    let time = AVAudioTime(hostTime: 7_000_000_000, sampleTime: 96_000, atRate: 48_000)
    var stamp = time.audioTimeStamp
    #expect(stamp.mHostTime == 7_000_000_000 && stamp.mSampleTime == 96_000)
    #expect(stamp.mFlags == .sampleHostTimeValid)
    #expect(AVAudioTime(audioTimeStamp: &stamp, sampleRate: 48_000) == time)
    stamp.mFlags = .sampleTimeValid
    #expect(!AVAudioTime(audioTimeStamp: &stamp, sampleRate: 48_000).isHostTimeValid)
    stamp.mFlags = .hostTimeValid
    #expect(!AVAudioTime(audioTimeStamp: &stamp, sampleRate: 48_000).isSampleTimeValid)
    let others: AudioTimeStampFlags = [.rateScalarValid, .wordClockTimeValid, .smpteTimeValid]
    #expect(others.rawValue == 28 && AudioTimeStamp().mFlags.isEmpty)
  }
}
