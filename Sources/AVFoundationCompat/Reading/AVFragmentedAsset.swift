public import Foundation
import Synchronization

/// What has fragments, or may get some: its file grows while it is written.
public protocol AVFragmentMinding: AnyObject {
  /// True while a minder looks after it.
  var isAssociatedWithFragmentMinder: Bool { get }
}

/// A file that grows. Properties are those of the last look at it: an ``AVFragmentedAssetMinder`` looks again.
///
/// Unchecked because the compiler accepts `Sendable` of no class with a superclass: it adds a `let` of a `Sendable`
/// type.
public final class AVFragmentedAsset: AVURLAsset, AVFragmentMinding, @unchecked Sendable {
  let minding = MindingCount()

  /// True while a minder looks at the file.
  public var isAssociatedWithFragmentMinder: Bool { minding.isMinded }
}

/// A movie that grows. Properties are those of the last look at it: an ``AVFragmentedMovieMinder`` looks again.
///
/// Unchecked because the compiler accepts `Sendable` of no class with a superclass: it adds a `let` of a `Sendable`
/// type.
public final class AVFragmentedMovie: AVMovie, AVFragmentMinding, @unchecked Sendable {
  let minding = MindingCount()

  /// True while a minder looks at the file.
  public var isAssociatedWithFragmentMinder: Bool { minding.isMinded }
}

/// How many minders look after an asset.
final class MindingCount: Sendable {
  private let count = Mutex(0)

  var isMinded: Bool { count.withLock { $0 > 0 } }

  func change(by number: Int) { count.withLock { $0 += number } }
}

extension NSNotification.Name {
  /// A file that is minded is longer than at the last look.
  public static let AVAssetDurationDidChange = Notification.Name(
    "AVAssetDurationDidChangeNotification")
  /// A file that is minded has fragments, and had none at the last look.
  public static let AVAssetContainsFragmentsDidChange = Notification.Name(
    "AVAssetContainsFragmentsDidChangeNotification")
  /// A file that is minded has no fragments any more: it is complete.
  public static let AVAssetWasDefragmented = Notification.Name(
    "AVAssetWasDefragmentedNotification")
  /// As ``AVAssetDurationDidChange``, of an ``AVFragmentedMovie``.
  public static let AVFragmentedMovieDurationDidChange = Notification.Name(
    "AVFragmentedMovieDurationDidChangeNotification")
  /// As ``AVAssetContainsFragmentsDidChange``, of an ``AVFragmentedMovie``.
  public static let AVFragmentedMovieContainsMovieFragmentsDidChange = Notification.Name(
    "AVFragmentedMovieContainsMovieFragmentsDidChangeNotification")
  /// As ``AVAssetWasDefragmented``, of an ``AVFragmentedMovie``.
  public static let AVFragmentedMovieWasDefragmented = Notification.Name(
    "AVFragmentedMovieWasDefragmentedNotification")
}

extension AVAsset {
  /// What is posted of the asset: of its length, of its first fragment, of its last.
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

  /// Looks at the file again, and posts what has changed. The first look posts nothing.
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
