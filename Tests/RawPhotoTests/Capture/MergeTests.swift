import CaptureDevices
import DNG
import Foundation
import MediaCore
import Testing
import VideoRecorder

@testable import RawPhoto

/// A simulated camera and a scene whose light is known.
struct KnownScene {
  var width = 480
  var height = 360
  var sensor = SyntheticSensor()
  var object: SyntheticScene.Object?

  func frame(
    _ stops: Double = 0, gain: Double = 1, offset: (x: Double, y: Double) = (0, 0),
    object: SyntheticScene.Object? = nil, seed: UInt64
  ) throws -> SensorFrame {
    let exposure = SensorExposure(duration: 1.0 / 120 * exp2(stops), gain: gain)
    let scene = SyntheticScene(width: width, height: height, object: object ?? self.object)
    let codes = sensor.expose(
      scene, exposure, width: width, height: height, offset: offset, seed: seed)
    return try SensorFrame(
      mosaic: RawImage(
        width: width, height: height, bitDepth: sensor.bitDepth, samples: codes),
      pattern: sensor.pattern, exposure: exposure, calibration: sensor.calibration)
  }

  /// The light of a pixel's color, in units of the reference's saturation.
  func truth(_ row: Int, _ column: Int) -> Double {
    let scene = SyntheticScene(width: width, height: height, object: object)
    let color = Int(sensor.pattern.color(row: row, column: column).rawValue)
    let response = [sensor.redResponse, 1, sensor.blueResponse][color]
    return Double(scene.light(x: Double(column), y: Double(row))[color]) * response / 2
  }

  /// The balanced light of a pixel, in the same units.
  func colors(_ row: Int, _ column: Int) -> SIMD3<Double> {
    let scene = SyntheticScene(width: width, height: height, object: object)
    return SIMD3<Double>(scene.light(x: Double(column), y: Double(row))) / 2
  }
}

@Suite struct MergeTests {
  /// The standard deviation of light against the truth in a gray step of the wedge.
  private func noise(_ light: LinearMosaic, _ scene: KnownScene, step: Int) -> (Double, Double) {
    let columns = scene.width / 16
    var (sum, squares, count, mean) = (0.0, 0.0, 0, 0.0)
    for row in scene.height * 9 / 10..<scene.height - 4 {
      for column in step * columns + 3..<(step + 1) * columns - 3
      where scene.sensor.pattern.color(row: row, column: column) == .green {
        let truth = scene.truth(row, column)
        let error = Double(light.samples[row * scene.width + column]) - truth
        sum += error
        squares += error * error
        mean += truth
        count += 1
      }
    }
    let bias = sum / Double(count)
    return ((squares / Double(count) - bias * bias).squareRoot(), mean / Double(count))
  }

  @Test func a_single_frame_has_the_noise_of_the_model() throws {
    let scene = KnownScene()
    let frame = try scene.frame(seed: 1)
    let merged = try FrameMerger([frame]).merge()
    for step in [4, 8, 11] {
      let (sigma, light) = noise(merged.light, scene, step: step)
      let expected = frame.noise.variance(light).squareRoot()
      #expect(abs(sigma / expected - 1) < 0.1, "step \(step): \(sigma) for \(expected)")
    }
  }

  @Test(arguments: [4, 8])
  func noise_falls_with_the_square_root_of_the_frame_count(count: Int) throws {
    let scene = KnownScene()
    let frames = try (0..<count).map { try scene.frame(seed: UInt64($0 + 1)) }
    let merged = try FrameMerger(frames).merge()
    for step in [4, 8, 11] {
      let (sigma, light) = noise(merged.light, scene, step: step)
      let expected = (frames[0].noise.variance(light) / Double(count)).squareRoot()
      #expect(sigma < expected * 1.12, "step \(step): \(sigma) for \(expected)")
      #expect(sigma > expected * 0.88, "step \(step): \(sigma) for \(expected)")
    }
  }

  @Test func a_bracket_recovers_light_above_the_references_white() throws {
    let scene = KnownScene()
    let merged = try FrameMerger([
      scene.frame(seed: 1), scene.frame(-2, seed: 2), scene.frame(2, seed: 3),
    ]).merge()
    #expect(merged.headroom == 4)
    // Step 14 of the wedge is 2^2 times white, twice the level at which the reference saturates.
    let (sigma, light) = noise(merged.light, scene, step: 14)
    #expect(light > 1.9 && sigma < 0.1)
    // In the dark: the longest exposure has sixteen times the electrons of the shortest.
    let (dark, level) = noise(merged.light, scene, step: 2)
    let single = try scene.frame(seed: 1).noise.variance(level).squareRoot()
    // By the noise model the three together have 0.36 of one frame's noise.
    #expect(dark < single * 0.5)
  }

  @Test func highlights_clipped_in_all_frames_have_the_headroom_brightness() throws {
    let scene = KnownScene()
    let merged = try FrameMerger([
      scene.frame(seed: 1), scene.frame(-2, seed: 2), scene.frame(2, seed: 3),
    ]).merge()
    // In the last step of the wedge, green saturates even in the shortest exposure.
    let columns = scene.width / 16
    for row in scene.height * 9 / 10..<scene.height - 4 {
      for column in 15 * columns + 3..<16 * columns - 3 {
        let light = Double(merged.light.samples[row * scene.width + column])
        #expect(abs(light / scene.truth(row, column) - 1) < 0.12, "\(row), \(column): \(light)")
      }
    }
  }

  @Test func frames_of_a_moved_camera_are_aligned_to_the_cell() throws {
    let scene = KnownScene()
    for shift in [(6, -4), (-12, 8), (20, 14)] {
      let frames = try [
        scene.frame(seed: 1), scene.frame(offset: (Double(shift.0), Double(shift.1)), seed: 2),
      ]
      let merged = try FrameMerger(frames).merge()
      // A camera that moves right moves the scene left.
      let expected = [Int16(-shift.0 / 2), Int16(-shift.1 / 2)]
      let tiles = merged.shifts.values.count / 2
      var exact = 0
      for tile in 0..<tiles where Array(merged.shifts.values[2 * tile..<2 * tile + 2]) == expected {
        exact += 1
      }
      // Flat and dark tiles match anywhere.
      #expect(Double(exact) > 0.6 * Double(tiles), "\(shift): \(exact) of \(tiles)")
      let shared = merged.frameCounts.reduce(0, +) / Float(merged.frameCounts.count)
      #expect(shared > 1.7, "\(shift): \(shared) frames a cell")
    }
  }

  @Test func moving_objects_leave_no_ghosts() throws {
    var scene = KnownScene()
    scene.object = .init(x: 150, y: 160, radius: 30)
    let still = try FrameMerger([scene.frame(seed: 1)]).merge()
    let frames = try (0..<4).map { index in
      try scene.frame(
        object: .init(x: 150 + 25 * Double(index), y: 160, radius: 30), seed: UInt64(index + 1))
    }
    let merged = try FrameMerger(frames).merge()
    // Against the truth at the reference's moment, over all places where the disc was.
    func energy(_ light: LinearMosaic) -> Double {
      var sum = 0.0
      for row in 120..<200 {
        for column in 110..<270 {
          let error =
            Double(light.samples[row * scene.width + column]) - scene.truth(row, column)
          sum += error * error
        }
      }
      return sum / (80 * 160)
    }
    #expect(energy(merged.light) < energy(still.light) * 1.05)
  }

  @Test func frames_of_different_formats_are_not_merged() throws {
    let first = try KnownScene().frame(seed: 1)
    let other = try KnownScene(width: 320, height: 240).frame(seed: 2)
    do {
      _ = try FrameMerger([first, other])
      Issue.record("the frames were merged")
    } catch {
      #expect(error.code == .formatChanged)
    }
  }
}

@Suite struct DemosaicTests {
  /// PSNR of colors against the scene's, in sRGB codes of the lower two stops of white.
  private func psnr(_ image: LinearImage, _ scene: KnownScene) -> Double {
    func code(_ light: Double) -> Double {
      let x = min(max(light, 0), 1)
      return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055
    }
    var (sum, count) = (0.0, 0)
    for row in 8..<scene.height - 8 {
      for column in 8..<scene.width - 8 {
        let truth = scene.colors(row, column)
        let found = SIMD3<Double>(image[row, column])
        for k in 0..<3 {
          let error = code(found[k]) - code(truth[k])
          sum += error * error
        }
        count += 3
      }
    }
    return -10 * log10(sum / Double(count))
  }

  private func bilinear(_ mosaic: LinearMosaic, _ pattern: BayerPattern) -> LinearImage {
    var samples = [Float](repeating: 0, count: 3 * mosaic.width * mosaic.height)
    for row in 1..<mosaic.height - 1 {
      for column in 1..<mosaic.width - 1 {
        var (sums, counts) = ([Float](repeating: 0, count: 3), [Float](repeating: 0, count: 3))
        for y in row - 1...row + 1 {
          for x in column - 1...column + 1 {
            let color = Int(pattern.color(row: y, column: x).rawValue)
            let weight: Float = y == row && x == column ? 100 : y == row || x == column ? 2 : 1
            sums[color] += weight * mosaic.samples[y * mosaic.width + x]
            counts[color] += weight
          }
        }
        for k in 0..<3 { samples[3 * (row * mosaic.width + column) + k] = sums[k] / counts[k] }
      }
    }
    return LinearImage(width: mosaic.width, height: mosaic.height, samples: samples)
  }

  @Test(arguments: BayerPattern.allCases)
  func demosaicking_beats_bilinear_interpolation_by_3_db(pattern: BayerPattern) throws {
    var scene = KnownScene(width: 320, height: 240)
    scene.sensor.pattern = pattern
    scene.sensor.fullWell = 1_000_000
    scene.sensor.bitDepth = 16
    let frame = try scene.frame(seed: 1)
    let light = try FrameMerger([frame]).merge().light.balanced(frame.neutral, pattern)
    let ours = psnr(Demosaic.interpolate(light, pattern), scene)
    let plain = psnr(bilinear(light, pattern), scene)
    #expect(ours > plain + 3, "\(ours) dB, bilinear \(plain) dB")
  }

  @Test func a_uniform_color_is_preserved_up_to_the_edges() throws {
    for (width, height) in [(2, 2), (5, 3), (97, 95), (200, 131)] {
      let mosaic = LinearMosaic(
        width: width, height: height, samples: [Float](repeating: 0.25, count: width * height))
      let image = Demosaic.interpolate(mosaic, .grbg)
      #expect(image.samples.allSatisfy { abs($0 - 0.25) < 1e-5 })
    }
  }
}
