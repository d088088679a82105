import AVFoundationCompat
import TestSupport
import Testing

/// Features that no part of this system has: the answer is no, and programs take their other path.
@Suite struct AbsentPartTests {
  @Test func a_writer_refuses_input_groups() throws {
    let folder = try TemporaryFolder()
    let small = try SmallWriter(to: folder.url("a.mov"))
    let group = AVAssetWriterInputGroup(inputs: [small.input], defaultInput: small.input)
    #expect(group.inputs == [small.input] && group.defaultInput === small.input)
    #expect(!small.writer.canAdd(group) && small.writer.inputGroups.isEmpty)
    #expect(small.writer.status == .unknown)
    small.writer.add(group)
    #expect(small.writer.status == .failed && !small.writer.startWriting())
    #expect((small.writer.error as? AVError)?.code == .operationNotAllowed)
    #expect(small.writer.inputGroups.isEmpty)
  }

  @Test func screen_inputs_cannot_be_created() {
    let screen: CGDirectDisplayID = CGMainDisplayID()
    #expect(screen == kCGNullDirectDisplay)
    for number in [screen, 1, .max] { #expect(AVCaptureScreenInput(displayID: number) == nil) }
    // Code that uses a screen input compiles.
    func record(_ input: AVCaptureScreenInput, in session: AVCaptureSession) {
      input.minFrameDuration = CMTime(value: 1, timescale: 30)
      input.cropRect = CGRect(x: 0, y: 0, width: 640, height: 360)
      input.scaleFactor = 0.5
      input.capturesMouseClicks = true
      input.capturesCursor = true
      input.removesDuplicateFrames = true
      if session.canAddInput(input) { session.addInput(input) }
    }
    let session = AVCaptureSession()
    if let input = AVCaptureScreenInput(displayID: screen) { record(input, in: session) }
    #expect(session.inputs.isEmpty)
  }

  @Test func a_composition_has_no_animation_tool() async throws {
    let composition = AVMutableVideoComposition()
    let tool: AVVideoCompositionCoreAnimationTool? = composition.animationTool
    composition.animationTool = nil
    let fixed: AVVideoComposition = composition
    #expect(tool == nil && fixed.animationTool == nil)
  }

  @Test(
    arguments: [
      .fullSizeVideo, .fullSizePairedVideo, .adjustmentBasePhoto, .adjustmentBaseVideo,
      .adjustmentBasePairedVideo,
    ] as [PHAssetResourceType])
  func assets_cannot_be_created_with_edited_resources(edited: PHAssetResourceType) {
    #expect(edited != .fullSizePhoto && !edited.isPrimary)
    for others in [[], [.video], [.photo], [.photo, .pairedVideo]] as [[PHAssetResourceType]] {
      #expect(!PHAssetCreationRequest.supportsAssetResourceTypes(others + [edited]))
    }
    #expect(PHAssetCreationRequest.supportsAssetResourceTypes([.video]))
  }
}
