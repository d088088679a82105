/// The version of this package, for the command, its libraries and everything that is built from them.
package enum PackageVersion {
  /// A semantic version, `MAJOR.MINOR.PATCH`.
  ///
  /// This is the only place to change for a release: `scripts/version` reads this line for the
  /// Makefile, the manual pages and the Debian package. `debian/changelog` and `CHANGELOG.md` have
  /// entries of their own, which a test compares with it.
  package static let current = "0.1.0"
}
