import AVFoundationCompat
import Testing

/// A phone's buttons and wheels: there are none here, and a program that offers them continues.
@Suite struct CaptureControlTests {
  private final class Listener: AVCaptureSessionControlsDelegate {
    func sessionControlsDidBecomeActive(_ session: AVCaptureSession) {}
    func sessionControlsWillEnterFullscreenAppearance(_ session: AVCaptureSession) {}
    func sessionControlsWillExitFullscreenAppearance(_ session: AVCaptureSession) {}
    func sessionControlsDidBecomeInactive(_ session: AVCaptureSession) {}
  }

  @Test func no_control_can_be_added_to_a_session() throws {
    let device = try AVCaptureDevice.device(identifier: "pattern:bars")
    let session = AVCaptureSession()
    let queue = DispatchQueue(label: "controls")
    let slider = AVCaptureSlider("Focus", symbolName: "scope", in: 0...1)
    slider.setActionQueue(queue) { _ in Issue.record("called") }
    let named = AVCaptureIndexPicker("Look", symbolName: "eye", localizedIndexTitles: ["A", "B"])
    named.setActionQueue(queue) { _ in Issue.record("called") }
    let numbered = AVCaptureIndexPicker("Look", symbolName: "eye", numberOfIndexes: 3)
    #expect(named.numberOfIndexes == 2 && numbered.numberOfIndexes == 3)
    #expect(named.localizedIndexTitles == ["A", "B"] && numbered.localizedIndexTitles.isEmpty)
    #expect(slider.value == 0 && named.selectedIndex == 0)
    (slider.value, named.selectedIndex, numbered.selectedIndex) = (0.5, 1, 2)
    #expect(slider.value == 0.5 && named.selectedIndex == 1 && numbered.selectedIndex == 2)
    (slider.value, named.selectedIndex, numbered.selectedIndex) = (.nan, 2, -1)
    #expect(slider.value == 0.5 && named.selectedIndex == 1 && numbered.selectedIndex == 2)
    #expect(slider.localizedTitle == "Focus" && named.symbolName == "eye")
    let controls: [AVCaptureControl] = [
      AVCaptureSystemZoomSlider(device: device) { _ in Issue.record("called") },
      AVCaptureSystemExposureBiasSlider(device: device), slider, named,
    ]
    for control in controls {
      #expect(!session.canAddControl(control))
      control.isEnabled = true
      #expect(!control.isEnabled)
      session.addControl(control)
      session.removeControl(control)
    }
    session.setControlsDelegate(Listener(), queue: queue)
    #expect(session.controls.isEmpty && session.controlsDelegate == nil)
    #expect(session.controlsDelegateCallbackQueue == nil && !session.supportsControls)
    session.configuresApplicationAudioSessionToMixWithOthers = true
    #expect(!session.configuresApplicationAudioSessionToMixWithOthers)
  }
}
