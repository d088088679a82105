public import Foundation
import Synchronization

/// An asset that may be fragmented, because its file grows while it is written.
public protocol AVFragmentMinding: AnyObject {
  /// True while a minder watches it.
  var isAssociatedWithFragmentMinder: Bool { get }
}

/// A growing file. Its properties are as of the last check, which an ``AVFragmentedAssetMinder`` repeats.
///
/// Unchecked: the compiler does not verify subclasses. This one adds a `let` of a `Sendable` type.
public final class AVFragmentedAsset: AVURLAsset, AVFragmentMinding, @unchecked Sendable {
  let minding = MindingCount()

  /// True while a minder watches the file.
  public var isAssociatedWithFragmentMinder: Bool { minding.isMinded }
}

/// A growing movie. Its properties are as of the last check, which an ``AVFragmentedMovieMinder`` repeats.
///
/// Unchecked: the compiler does not verify subclasses. This one adds a `let` of a `Sendable` type.
public final class AVFragmentedMovie: AVMovie, AVFragmentMinding, @unchecked Sendable {
  let minding = MindingCount()

  /// True while a minder watches the file.
  public var isAssociatedWithFragmentMinder: Bool { minding.isMinded }
}

/// Counts the minders of an asset.
final class MindingCount: Sendable {
  private let count = Mutex(0)

  var isMinded: Bool { count.withLock { $0 > 0 } }

  func change(by number: Int) { count.withLock { $0 += number } }
}

extension NSNotification.Name {
  /// The duration of a watched file changed since the last check.
  public static let AVAssetDurationDidChange = Notification.Name(
    "AVAssetDurationDidChangeNotification")
  /// A watched file has its first fragments since the last check.
  public static let AVAssetContainsFragmentsDidChange = Notification.Name(
    "AVAssetContainsFragmentsDidChangeNotification")
  /// A watched file has no fragments any more: it is complete.
  public static let AVAssetWasDefragmented = Notification.Name(
    "AVAssetWasDefragmentedNotification")
  /// Like ``AVAssetDurationDidChange``, for an ``AVFragmentedMovie``.
  public static let AVFragmentedMovieDurationDidChange = Notification.Name(
    "AVFragmentedMovieDurationDidChangeNotification")
  /// Like ``AVAssetContainsFragmentsDidChange``, for an ``AVFragmentedMovie``.
  public static let AVFragmentedMovieContainsMovieFragmentsDidChange = Notification.Name(
    "AVFragmentedMovieContainsMovieFragmentsDidChangeNotification")
  /// Like ``AVAssetWasDefragmented``, for an ``AVFragmentedMovie``.
  public static let AVFragmentedMovieWasDefragmented = Notification.Name(
    "AVFragmentedMovieWasDefragmentedNotification")
}

extension AVAsset {
  /// The notifications for a changed duration, the first fragments, and a completed file.
  private var changeNames: [Notification.Name] {
    self is AVMovie
      ? [
        .AVFragmentedMovieDurationDidChange, .AVFragmentedMovieContainsMovieFragmentsDidChange,
        .AVFragmentedMovieWasDefragmented,
      ]
      : [
        .AVAssetDurationDidChange, .AVAssetContainsFragmentsDidChange, .AVAssetWasDefragmented,
      ]
  }

  /// Reads the file again and posts notifications of changes. The first read posts none.
  func lookAgain() {
    guard let (before, now) = reopen(), let before else { return }
    let had = (before.index?.fragmentCount ?? 0) > 0
    let has = (now.index?.fragmentCount ?? 0) > 0
    let changes = [before.duration != now.duration, !had && has, had && !has]
    for (name, isChanged) in zip(changeNames, changes) where isChanged {
      NotificationCenter.default.post(name: name, object: self)
    }
  }
}
