import Foundation
import TestSupport
import Testing

/// A USB camera that is unplugged and replugged, and audio from real drivers.
extension InLab {
  @Suite struct CameraAndAudio {
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

    @Test func a_camera_is_recorded_with_its_own_microphone() async throws {
      let take = try await GuestTake(
        "microphone",
        "--device v4l2:usb-vhci_hcd.0-1 --codec proxy --allow-fallback --duration 10f",
        feeding: "camera --size 320x240 --formats YUYV --fps 5")
      #expect(take.status == 0 || take.status == 3, "\(take.errors)")
      try take.expectValidMovie()
      let audio = try #require(try take.value("audio", as: [[String: Any]].self).first)
      let source = try #require(audio["source"] as? [String: Any])
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
      let audio = try #require(try take.value("audio", as: [[String: Any]].self).first)
      try expectLength(take)
      let raw = folder.path("sound.pcm")
      try Judges.ffmpeg(["-i", take.file, "-map", "0:a:0", "-f", "s16le", raw])
      let verdict = try Command.run(
        "\(Lab.tools)/lab-tone", ["--check", raw, "--format", "S16_LE", "--channels", "2"])
      if audio["lost"] as? Int == 0, audio["clockError"] == nil {
        // Identical to the tone from the first sample to the last.
        #expect(verdict.status == 0, "\(verdict.output)")
      } else {
        // The slow machine lost samples, or its audio and video clocks differ and the audio was stretched. This is
        // reported, and the remaining audio still sounds like the tone.
        let purity = try purity(raw)
        #expect(purity > 0.9, "\(purity) of the audio is the tone; \(audio)")
      }
    }

    /// The share of the non-silent audio that is the first channel's test tone: 200 Hz at half of full scale, in
    /// windows of two periods, with less than one percent of anything else.
    private func purity(_ path: String) throws -> Double {
      let data = try Data(contentsOf: URL(filePath: path))
      let samples = data.withUnsafeBytes { bytes in
        stride(from: 0, to: bytes.count - 3, by: 4).map {
          Double(bytes.loadUnaligned(fromByteOffset: $0, as: Int16.self)) / 32768
        }
      }
      var (heard, pure) = (0, 0)
      for start in stride(from: 0, to: samples.count - 480, by: 480) {
        let window = samples[start..<start + 480]
        guard window.contains(where: { $0 != 0 }) else { continue }
        heard += 1
        var (sine, cosine, energy) = (0.0, 0.0, 0.0)
        for (index, sample) in window.enumerated() {
          let phase = 2 * Double.pi * Double(index) / 240
          sine += sample * sin(phase) / 240
          cosine += sample * cos(phase) / 240
          energy += sample * sample / 240
        }
        let tone = sine * sine + cosine * cosine
        if (tone.squareRoot() - 0.5).magnitude < 0.005, energy - tone < 0.0001 * energy {
          pure += 1
        }
      }
      return Double(pure) / Double(max(heard, 1))
    }

    /// Checks that audio is as long as the video to within half a frame.
    private func expectLength(_ take: GuestTake) throws {
      let audio = try Judges.stream(take.file, "a:0")
      #expect(audio["sample_rate"] == "48000" && audio["channels"] == "2")
      let length = try #require(Double(audio["duration"] ?? ""))
      #expect(abs(length - (try take.value("movie.duration"))) <= 0.1)
    }
  }
}
