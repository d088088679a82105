import Foundation
import LabSupport
import Testing

/// A USB camera that goes and comes, and sound from real drivers.
extension InLab {
  @Suite struct CameraAndSound {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func an_unplugged_camera_leaves_a_valid_movie_and_is_found_again() async throws {
      let options =
        "--device v4l2:usb-vhci_hcd.0-1 --audio none --codec proxy --allow-fallback"
      let first = try await GuestTake(
        "unplugged", options + " --duration 1000f",
        feeding: "camera --size 320x240 --formats YUYV --fps 5",
        meanwhile: "kill -USR1 $camera",
        afterwards: """
          kill -USR1 $camera
          await "the camera again" present
          "$R" devices --json >replugged.devices
          take replugged \(options) --duration 3f
          """)
      #expect(first.status == 4, "\(first.errors)")
      #expect(try first.text("end") == "deviceDisconnected")
      #expect(first.errors.contains("Lab USB Camera") || first.errors.contains("/dev/video"))
      try first.expectValidMovie()

      let again = try GuestTake(found: "replugged")
      #expect(again.status == 0 || again.status == 3, "\(again.errors)")
      #expect(try again.text("source.deviceID") == "v4l2:usb-vhci_hcd.0-1")
      try again.expectValidMovie()
    }

    @Test func a_camera_brings_its_own_microphone() async throws {
      let take = try await GuestTake(
        "microphone",
        "--device v4l2:usb-vhci_hcd.0-1 --codec proxy --allow-fallback --duration 10f",
        feeding: "camera --size 320x240 --formats YUYV --fps 5")
      #expect(take.status == 0 || take.status == 3, "\(take.errors)")
      try take.expectValidMovie()
      let sound = try #require(try take.value("sound", as: [[String: Any]].self).first)
      let source = try #require(sound["source"] as? [String: Any])
      #expect(source["deviceID"] as? String == "alsa:usb-vhci_hcd.0-1")
      try expectLength(take)
    }

    @Test func a_tone_through_the_sound_card_arrives_intact() async throws {
      let take = try await GuestTake(
        "tone",
        "--device v4l2:platform:vivid-000 --size 320x180 --rate 5 --codec proxy "
          + "--audio alsa:Loopback,1 --duration 15f",
        feeding: """
          lab-tone --emit tone.pcm --format S16_LE --channels 2 --seconds 60
          aplay -q -D hw:Loopback,0,0 -t raw -f S16_LE -c 2 -r 48000 tone.pcm &
          sleep 1
          """)
      #expect(take.status == 0 || take.status == 3, "\(take.errors)")
      try take.expectValidMovie()
      let sound = try #require(try take.value("sound", as: [[String: Any]].self).first)
      #expect(sound["lost"] as? Int == 0)
      try expectLength(take)
      let raw = folder.path("sound.pcm")
      try Judges.ffmpeg(["-i", take.file, "-map", "0:a:0", "-f", "s16le", raw])
      // Sample for sample the tone, from its first sample to its last.
      let verdict = try Command.runBlocking(
        "\(Lab.tools)/lab-tone", ["--check", raw, "--format", "S16_LE", "--channels", "2"])
      #expect(verdict.status == 0, "\(verdict.output)")
    }

    /// Sound as long as the pictures to within half a frame.
    private func expectLength(_ take: GuestTake) throws {
      let sound = try Judges.stream(take.file, "a:0")
      #expect(sound["sample_rate"] == "48000" && sound["channels"] == "2")
      let length = try #require(Double(sound["duration"] ?? ""))
      #expect(abs(length - (try take.value("movie.duration"))) <= 0.1)
    }
  }
}
