import AVFoundationCompat
import Foundation
import Synchronization
import TestSupport
import Testing

/// Files that grow while they are observed.
@Suite(.timeLimit(.minutes(5))) struct FragmentedAssetTests {
  private final class Count: Sendable {
    private let number = Mutex(0)
    func add() { number.withLock { $0 += 1 } }
    var value: Int { number.withLock { $0 } }
  }

  /// True as soon as the condition holds, false after half a minute.
  private func holds(_ condition: () -> Bool) async throws -> Bool {
    for _ in 0..<3000 where !condition() { try await Task.sleep(for: .milliseconds(10)) }
    return condition()
  }

  @Test func a_minder_reports_a_longer_duration() async throws {
    let rig = try ReadingRig()
    let short = try await rig.makeTwoTracks("short.mov", levels: [100])
    let long = try await rig.makeMovie()
    let place = rig.folder.url("growing.mov")
    try FileManager.default.copyItem(at: short.url, to: place)
    let asset = AVFragmentedAsset(
      url: place, options: [AVURLAssetOverrideMIMETypeKey: "video/quicktime"])
    let movie = AVFragmentedMovie(url: place)
    #expect(asset.duration == short.duration && movie.duration == short.duration)
    #expect(!asset.isAssociatedWithFragmentMinder && !movie.isAssociatedWithFragmentMinder)
    let (ofAsset, ofMovie) = (Count(), Count())
    let tokens = [
      NotificationCenter.default.addObserver(
        forName: .AVAssetDurationDidChange, object: asset, queue: nil
      ) { _ in ofAsset.add() },
      NotificationCenter.default.addObserver(
        forName: .AVFragmentedMovieDurationDidChange, object: movie, queue: nil
      ) { _ in ofMovie.add() },
    ]
    defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    let minder = AVFragmentedAssetMinder(asset: asset, mindingInterval: 1000)
    minder.mindingInterval = 0.05
    minder.addFragmentedAsset(asset)
    let movieMinder = AVFragmentedMovieMinder(movie: movie, mindingInterval: 0.05)
    #expect(minder.assets == [asset] && movieMinder.movies == [movie])
    #expect(minder.mindingInterval == 0.05 && movieMinder.mindingInterval == 0.05)
    let minded: [any AVFragmentMinding] = [asset, movie]
    #expect(minded.allSatisfy { $0.isAssociatedWithFragmentMinder })
    try await Task.sleep(for: .milliseconds(200))
    #expect(ofAsset.value == 0 && ofMovie.value == 0)
    try Data(contentsOf: long.url).write(to: place, options: .atomic)
    #expect(try await holds { ofAsset.value == 1 && ofMovie.value == 1 })
    #expect(asset.duration == long.duration && movie.duration == long.duration)
    #expect(asset.tracks.count == 2)
    minder.removeFragmentedAsset(asset)
    movieMinder.remove(movie)
    #expect(minder.assets.isEmpty && !asset.isAssociatedWithFragmentMinder)
    #expect(!movie.isAssociatedWithFragmentMinder)
  }

  /// Notifications about an object: it began to be fragmented, and it ended being so.
  private final class Posted {
    let begun = Count()
    let ended = Count()
    private let tokens: [any NSObjectProtocol]

    init(_ object: AnyObject, _ begin: Notification.Name, _ end: Notification.Name) {
      let counts = [(begin, begun), (end, ended)]
      tokens = counts.map { name, count in
        NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { _ in
          count.add()
        }
      }
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
  }

  @Test(.tags(.judges))
  func a_minder_reports_fragmentation_and_defragmentation() async throws {
    let rig = try ReadingRig()
    let whole = try await rig.makeTwoTracks("whole.mov", levels: [100])
    let parted = rig.folder.url("parted.mov")
    _ = try Judges.ffmpeg(
      ["-i", whole.url.path, "-c", "copy", "-movflags", "frag_keyframe+empty_moov", parted.path])
    let place = rig.folder.url("growing.mov")
    try FileManager.default.copyItem(at: whole.url, to: place)
    let asset = AVFragmentedAsset(url: place)
    let movie = AVFragmentedMovie(url: place)
    #expect(!asset.containsFragments && !movie.containsMovieFragments)
    let ofAsset = Posted(asset, .AVAssetContainsFragmentsDidChange, .AVAssetWasDefragmented)
    let ofMovie = Posted(
      movie, .AVFragmentedMovieContainsMovieFragmentsDidChange, .AVFragmentedMovieWasDefragmented)
    let minder = AVFragmentedAssetMinder(asset: asset, mindingInterval: 0.05)
    let movieMinder = AVFragmentedMovieMinder(movie: movie, mindingInterval: 0.05)
    try Data(contentsOf: parted).write(to: place, options: .atomic)
    #expect(try await holds { ofAsset.begun.value == 1 && ofMovie.begun.value == 1 })
    #expect(asset.containsFragments && movie.containsMovieFragments)
    #expect(ofAsset.ended.value == 0 && ofMovie.ended.value == 0)
    try Data(contentsOf: whole.url).write(to: place, options: .atomic)
    #expect(try await holds { ofAsset.ended.value == 1 && ofMovie.ended.value == 1 })
    #expect(!asset.containsFragments && !movie.containsMovieFragments)
    #expect(ofAsset.begun.value == 1 && ofMovie.begun.value == 1)
    #expect(minder.assets == [asset] && movieMinder.movies == [movie])
  }

  @Test func fragment_notification_names_are_distinct() {
    let names: [Notification.Name] = [
      .AVAssetContainsFragmentsDidChange, .AVAssetWasDefragmented,
      .AVFragmentedMovieContainsMovieFragmentsDidChange, .AVFragmentedMovieWasDefragmented,
    ]
    #expect(Set(names).count == 4 && names.allSatisfy { $0.rawValue.hasSuffix("Notification") })
  }
}
